import Foundation
import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
import Testing

/// The library example of the README about trust, word for word, on a signed fixture.
@Suite struct ReadmeTrustExampleTests {
  @Test func printsAVerdictForEachSignedThing() throws {
    let record = try Fixture.named("receipts/signed/app-production").bytes("receipt.base64")
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // README: begin trust
    var policy = VerificationPolicy()
    policy.bundleId = "com.example.slipcast"
    let verifier = RecordVerifier(policy: policy, rules: try RuleSet.builtIn())
    for verdict in verifier.verify(record) {
      print(verdict.kind?.rawValue ?? "unknown", verdict.refusal?.reason.rawValue ?? "valid")
    }
    // README: end trust

    #expect(printed == ["appReceipt untrustedRoot"])
  }

  @Test func theReadmeShowsThisCode() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let readme = try String(contentsOfFile: Folder.package("README.md"), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let begin = try #require(lines.firstIndex { $0.hasSuffix("// README: begin trust") })
    let end = try #require(lines.firstIndex { $0.hasSuffix("// README: end trust") })
    let code = lines[(begin + 1)..<end].map { $0.dropFirst(4) }.joined(separator: "\n")
    #expect(readme.contains(code))
  }
}
