import SlipcastNetwork
import SlipcastSignatures

/// `slipcast identity`: a test certificate authority in the shape of Apple's.
enum IdentityCommand: Command {
  static let description = CommandDescription("identity", .look, operands: .folders)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard arguments.operands.count == 1, let directory = arguments.operands.first else {
      throw UsageError("expected one folder, found \(arguments.operands.count)")
    }
    guard !directory.isEmpty else { throw UsageError("expected one folder, found an empty name") }
    let address = arguments.last("ocsp-url")
    if let address, HTTPAddress(address) == nil || address.contains(",") {
      throw UsageError("--ocsp-url is an address with http:// or https://")
    }
    let identity = try TestIdentity.create(in: directory, responder: address)
    if !arguments.has("quiet") { console.say(text(identity, Console.harmless(directory))) }
    return .fine
  }

  private static func text(_ identity: TestIdentity, _ directory: String) -> String {
    let folder = directory.hasSuffix("/") ? directory : directory + "/"
    return """
      A test identity is in \(folder)
        root.der, root.pem  the root certificate, which your tests must trust; SHA-256 \(identity.root.sha256.prefix(16))…
        chain.pem           leaf, intermediate, root, as in the header of a JWS
        leaf.key            the private key that signs, readable by you alone

      What to try next:
        slipcast convert --sign \(folder) archive.ndjson > signed.ndjson
        slipcast sign \(folder) v2.ndjson > signed.ndjson
        slipcast verify --root \(folder)root.pem signed.ndjson

      """
  }
}
