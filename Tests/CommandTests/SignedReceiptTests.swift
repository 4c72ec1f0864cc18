import Foundation
import SlipcastBulk
import SlipcastSignatures
import SlipcastTestSupport
import Testing

/// The signed receipts of `Fixtures/receipts/signed`: each is shown, verified and converted as the files next to it
/// state.
///
/// The first word of a case's `source.txt` is the verdict, written by hand. `RECORD=1 make test` writes `inspect.json`
/// and `v2.json` again.
@Suite struct SignedReceiptTests {
  static let cases = Fixture.cases("receipts/signed")
  static let trust =
    ["--root", path("root.der")]
    + ["intermediate", "store-intermediate"].flatMap {
      ["--intermediate", path("\($0).der")]
    }

  static func path(_ file: String) -> String { Fixture.root.appendingPathComponent("receipts/signed/" + file).path }

  static func input(_ fixture: Fixture) throws -> String {
    fixture.path(try #require(["receipt.base64", "receipt.der", "receipt.json"].first { fixture.exists($0) }))
  }

  static func run(_ words: [String]) throws -> Program {
    try Program.shell("slipcast " + words.map { "'\($0)'" }.joined(separator: " "))
  }

  @Test(arguments: cases)
  func getsTheVerdictThatStandsBesideIt(_ fixture: Fixture) throws {
    let expected = try #require(try fixture.text("source.txt").split(separator: ".").first)
    let program = try Self.run(["verify"] + Self.trust + [try Self.input(fixture)])
    let line = try Self.object(program.output)
    #expect(line["verdict"] as? String == (expected == "valid" ? "valid" : "invalid"))
    #expect(line["reason"] as? String ?? "valid" == expected)
    #expect(program.status == (expected == "valid" ? 0 : 1))
    let kind = fixture.name.contains("ios6") ? "transactionReceipt" : "appReceipt"
    #expect(line["kind"] as? String == kind)
  }

  @Test(arguments: cases)
  func isShownAsStandsBesideIt(_ fixture: Fixture) throws {
    let program = try Self.run(["inspect", "--format", "json"] + Self.trust + [try Self.input(fixture)])
    // What cannot be read for certain is not shown.
    #expect(program.status == (fixture.name.contains("trailing") ? 1 : 0), "\(program.output)")
    var shown = try Self.object(program.output)
    shown["input"] = nil
    let data = try JSONSerialization.data(withJSONObject: shown, options: [.prettyPrinted, .sortedKeys])
    let text = String(decoding: data, as: UTF8.self) + "\n"
    if Fixture.isRecording { try fixture.record(text, "inspect.json") }
    #expect(text == (try fixture.text("inspect.json")))
  }

  @Test(arguments: cases)
  func isCastToWhatStandsBesideIt(_ fixture: Fixture) async throws {
    let (sink, _, counts) = try await Harness.convert([], [try Self.input(fixture)])
    if fixture.name.contains("trailing") {
      // What cannot be read for certain is not cast.
      #expect(counts.rejected == 1 && sink.rejects.first?.code == "trailingBytes")
      return
    }
    #expect(counts.converted == 1, "\(sink.rejects.map(\.description))")
    let v2 = try PrettyJSON.text(try #require(sink.lines.first).utf8)
    if Fixture.isRecording { try fixture.record(v2, "v2.json") }
    #expect(v2 == (try fixture.text("v2.json")))
  }

  @Test func theSameReceiptGivesTheSameInEveryDress() async throws {
    let base64 = try await Harness.convert([], [Self.path("app-production/receipt.base64")])
    let binary = try await Harness.convert([], [Self.path("app-production-binary/receipt.der")])
    #expect(base64.sink.lines == binary.sink.lines)
    let envelope = try await Harness.convert([], [Self.path("ios6-unity-envelope/receipt.json")])
    let bare = try await Harness.convert([], [Self.path("ios6-v3-production/receipt.base64")])
    #expect(envelope.sink.lines == bare.sink.lines)
  }

  // MARK: what is asked for

  static let asked: [(case: String, words: [String], reason: String?)] = [
    ("app-production", ["--bundle-id", "com.example.slipcast"], nil),
    ("app-production", ["--bundle-id", "com.example.other"], "bundleIdMismatch"),
    ("app-production", ["--environment", "Production", "--app-apple-id", "1234567891"], nil),
    ("app-production", ["--app-apple-id", "1234567892"], "appAppleIdMismatch"),
    ("app-production", ["--environment", "Sandbox"], "environmentMismatch"),
    ("app-production", ["--device-id", "5117CA57-0000-4000-8000-00000000D071"], nil),
    ("app-production", ["--device-id", "5117CA57-0000-4000-8000-00000000D072"], "deviceMismatch"),
    ("app-production", ["--online-time"], "certificateExpired"),
    ("app-vpp", ["--environment", "Production"], nil),
    ("app-sandbox-sha1-wrapped", ["--environment", "Production"], "environmentMismatch"),
    ("app-sandbox-sha1-wrapped", ["--environment", "Sandbox", "--app-apple-id", "7"], nil),
    ("app-xcode", ["--accept-xcode"], nil),
    ("app-xcode", ["--accept-xcode", "--environment", "Production"], "environmentMismatch"),
    ("ios6-v3-production", ["--environment", "Production", "--bundle-id", "com.example.slipcast"], nil),
    ("ios6-v3-production", ["--environment", "Sandbox"], "environmentMismatch"),
    ("ios6-v2-sandbox", ["--environment", "Sandbox"], nil),
    ("ios6-v2-sandbox", ["--environment", "Production"], "environmentMismatch"),
  ]

  @Test(arguments: asked)
  func onlyWhatIsAskedForIsCompared(_ asked: (case: String, words: [String], reason: String?)) throws {
    let fixture = Fixture.named("receipts/signed/" + asked.case)
    let program = try Self.run(["verify"] + Self.trust + asked.words + [try Self.input(fixture)])
    let line = try Self.object(program.output)
    #expect(line["reason"] as? String == asked.reason)
    #expect(program.errors.contains("WITHOUT a trusted signature") == asked.words.contains("--accept-xcode"))
    #expect((line["unverified"] as? Bool ?? false) == (asked.words.contains("--accept-xcode") && asked.reason == nil))
  }

  @Test func aReceiptOfXcodeLeadsToNoRootOfApple() throws {
    let program = try Self.run(["inspect", "--format", "json", Self.path("app-xcode/receipt.base64")])
    let receipt = try Self.object(program.output)
    let shown = try #require((receipt["certificates"] as? [[String: Any]])?.first)
    #expect((shown["subject"] as? String)?.contains("StoreKit") == true)
    #expect(receipt["reason"] as? String == "untrustedRoot")
  }

  @Test func applesRootsDoNotVouchForOtherReceipts() throws {
    let program = try Self.run(["verify", Self.path("app-production/receipt.base64")])
    #expect(try Self.object(program.output)["reason"] as? String == "untrustedRoot")
  }

  static func object(_ line: String) throws -> [String: Any] {
    let lines = line.split(separator: "\n")
    #expect(lines.count == 1)
    return try #require(JSONSerialization.jsonObject(with: Data((lines.first ?? "{}").utf8)) as? [String: Any])
  }
}
