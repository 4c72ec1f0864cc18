import SlipcastBulk
import SlipcastSignatures
import SlipcastWire

/// Options about trust anchors and about the requirements for signed data.
enum TrustOptions {
  static let roots = Option(
    name: "root", value: "FILE", byDefault: "Apple's roots", isRepeatable: true, file: .read,
    help: "Trusts this root certificate (DER or PEM) in place of Apple's.")

  static let intermediates = Option(
    name: "intermediate", value: "FILE", isRepeatable: true, file: .read,
    help:
      "An intermediate certificate (DER or PEM), for signatures that contain none, "
      + "such as iOS 6 receipts. Apple's two for these are known unless --root is given.")

  static let onlineTime = Option(
    name: "online-time",
    help: "Validates certificates at the current time, not at the time of signing; not useful for stored data.")

  static let acceptXcode = Option(
    name: "accept-xcode",
    help: "Accepts data of Xcode and LocalTesting, which NOBODY trustworthy has signed. Never for production.")

  /// The options of every command that verifies: trust, without comparing.
  static let trust = [roots, intermediates, onlineTime, acceptXcode].under(.trust)

  /// What commands offer that verify on the way.
  static func onTheWay(_ what: String, _ consequence: String) -> [Option] {
    [
      Option(
        name: "verify",
        help:
          "Verifies the signatures of \(what). What is not trusted is a finding (unverified, nothingSigned)."),
      Option(name: "require-verified", help: "Verifies as --verify does, and what is not trusted \(consequence)."),
    ].under(.trust) + trust
  }

  /// The policy of a command that verifies only when asked to.
  static func policyIfAsked(_ arguments: Arguments) throws -> VerificationPolicy? {
    if arguments.has("verify") || arguments.has("require-verified") { return try policy(arguments) }
    if let idle = trust.first(where: { arguments.has($0.name) }) {
      throw UsageError("--\(idle.name) has no effect without --verify or --require-verified")
    }
    return nil
  }

  static let comparing = [
    Option(name: "bundle-id", value: "ID", help: "Requires this bundle id: com.example.app."),
    Option(
      name: "environment", value: "ENVIRONMENT", choices: ["Production", "Sandbox", "Xcode", "LocalTesting"],
      help:
        "Requires this environment; ProductionVPP counts as Production, a receipt that states no type passes for "
        + "Sandbox only."
    ),
    Option(
      name: "app-apple-id", value: "N", help: "Requires this App Store id of the app; compared in Production only."),
    Option(
      name: "device-id", value: "HEX",
      help: "Requires app receipts to be issued for this device: identifierForVendor or a MAC address."),
  ].under(.judging)

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
    policy.bundleId = arguments.last("bundle-id")
    policy.environment = arguments.last("environment")
    policy.appAppleId = try arguments.number("app-apple-id", 1...Int64.max)
    if let text = arguments.last("device-id") {
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
