import SlipcastBulk
import SlipcastSignatures
import SlipcastWire

/// Options about trust anchors and about the requirements for signed data.
enum TrustOptions {
  /// The policy of a command that verifies only when asked to.
  static func policyIfAsked(_ arguments: Arguments) throws -> VerificationPolicy? {
    if arguments.has("verify") || arguments.has("require-verified") { return try policy(arguments) }
    if let idle = OptionTable.options(of: "trust").first(where: { arguments.has($0.name) }) {
      throw UsageError("--\(idle.name) has no effect without --verify or --require-verified")
    }
    return nil
  }

  static func policy(_ arguments: Arguments) throws -> VerificationPolicy {
    var policy = VerificationPolicy()
    let roots = try certificates(arguments, "root")
    let intermediates = try certificates(arguments, "intermediate")
    policy.anchors =
      roots.isEmpty
      ? TrustAnchors(roots: TrustAnchors.apple.roots, intermediates: TrustAnchors.apple.intermediates + intermediates)
      : TrustAnchors(roots: roots, intermediates: intermediates)
    policy.usesCurrentTime = arguments.has("online-time")
    policy.acceptsXcode = arguments.has("accept-xcode")
    guard arguments.command.option("bundle-id") != nil else { return policy }
    policy.bundleIds = arguments.all("bundle-id")
    guard !policy.bundleIds.contains("") else {
      throw UsageError("--bundle-id is empty: name the app, or leave the option out")
    }
    // serve has the words of Apple's servers.
    policy.environment = arguments.last("environment").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    policy.appAppleId = try arguments.number("app-apple-id", 1...Int64.max)
    if arguments.command.option("device-id") != nil, let text = arguments.last("device-id") {
      guard let bytes = Hexadecimal.decode(text), bytes.count == 16 || bytes.count == 6 else {
        throw UsageError("--device-id is a UUID or a MAC address: 16 or 6 bytes in hexadecimal digits")
      }
      policy.deviceIdentifier = bytes
    }
    return policy
  }

  private static func certificates(_ arguments: Arguments, _ name: String) throws -> [Certificate] {
    var certificates: [Certificate] = []
    for path in arguments.all(name) {
      let bytes = try Files.read(path, limit: 1 << 20)
      do throws(Refusal) {
        certificates += try TrustAnchors.certificates(in: bytes)
      } catch {
        throw UsageError("--\(name) \(path): expected a certificate in DER or PEM; \(error)")
      }
    }
    return certificates
  }

  static func warn(_ policy: VerificationPolicy, _ console: Console) {
    guard policy.acceptsXcode else { return }
    console.say(
      console.red("slipcast: --accept-xcode: data of Xcode and LocalTesting is accepted WITHOUT a trusted signature")
        + "\n")
  }
}
