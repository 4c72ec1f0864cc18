import SlipcastDigest
import SlipcastMapping
import SlipcastOutlets
import SlipcastSignatures
import SlipcastStores

/// How requests of `verifyReceipt` are answered, as the options say.
enum VerifyReceiptSettings {
  static func options(
    _ arguments: Arguments, _ rules: RuleSet, _ policy: VerificationPolicy, sources: [any CustomerSource]
  ) throws -> VerifyReceiptService.Options {
    var options = VerifyReceiptService.Options(rules: rules, policy: policy)
    options.sources = sources
    if let path = arguments.last("shared-secret") {
      options.secretDigests = try SharedSecrets.read(path).map { SHA256Stream.hexadecimal(of: $0) }
    }
    options.apple = try apple(arguments, policy)
    return options
  }

  private static func apple(_ arguments: Arguments, _ policy: VerificationPolicy) throws -> AppleLookup? {
    guard arguments.has("fetch") else {
      let names = ["key", "key-id", "issuer", "server", "sandbox-server", "fetch-timeout"]
      if let idle = names.first(where: arguments.has) { throw UsageError("--\(idle) has no effect without --fetch") }
      return nil
    }
    var options = AppleLookup.Options(
      key: try FetchSettings.key(arguments, for: "fetch"), anchors: policy.anchors)
    options.productionServer = try FetchSettings.server("server", arguments)
    options.sandboxServer = try FetchSettings.server("sandbox-server", arguments) ?? options.productionServer
    options.seconds = Double(try arguments.number("fetch-timeout", 1...600) ?? 10)
    return AppleLookup(options)
  }
}
