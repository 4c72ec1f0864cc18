import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Testing

/// What cannot be read is an issue with the command's words, never a crash.
@Suite struct BrokenInputTests {
  static let good = #"{"notificationType":"DID_RENEW","data":{}}"#

  @Test(arguments: [
    ("", "legacy:1: byte 0: expected a JSON object, found nothing; a text is the record itself, .file(…) reads"),
    ("{\"notification_type\":\n\"DID_RENEW\"", "legacy:2: byte 33: notification_type: the record ends inside"),
    ("Cases/renewal/v1.json", "legacy:1: byte 0: expected JSON, found a character that "),
    ("{}", "legacy:1: byte 0: expected a legacy record (a version 1 notification or a verifyReceipt response)"),
    ("{}\n{}", "legacy:2: byte 3: expected one record, found several"),
  ])
  func aBrokenLegacyRecordIsAnIssueWithItsPlace(_ text: String, _ expected: String) throws {
    let line = #line + 1
    let issue = try Recorder.failure { #expect(expectParity(legacy: text, server: Self.good) == nil) }
    #expect(issue.text.hasPrefix(expected), "\(issue.text)")
    #expect(issue.site.line == line)
  }

  @Test(arguments: [
    ("nonsense", "server:1: byte 0: "),
    ("[1]", "server:1: byte 1: [0]: expected a version 2 notification, "),
    (#"{"notification_type":"DID_RENEW"}"#, "server:1: byte 0: expected a version 2 record, found a version 1 record"),
    (#"{"signedPayload":"no.token"}"#, "server:1: byte 17: signedPayload: expected a signed payload"),
  ])
  func aBrokenServerRecordIsAnIssueWithItsPlace(_ text: String, _ expected: String) throws {
    let legacy = Fixture.parity.legacy
    let issue = try Recorder.failure { expectParity(legacy: legacy, server: text) }
    #expect(issue.text.hasPrefix(expected), "\(issue.text)")
  }

  @Test(arguments: ["Fixtures/none.json", "/nowhere/v1.json"])
  func aMissingFileIsNamed(_ path: String) throws {
    let issue = try Recorder.failure { expectParity(legacy: .file(path), server: Self.good) }
    #expect(issue.text.hasSuffix("\(path): cannot open: No such file or directory"), "\(issue.text)")
    let cast = try Recorder.failure { expectConversion(.file(path), equals: Self.good) }
    #expect(cast.text == issue.text)
  }

  @Test func aFolderIsNoRecord() throws {
    let issue = try Recorder.failure { expectParity(legacy: Fixture.root, server: Self.good) }
    #expect(issue.text.contains("Fixtures: cannot open: "), "\(issue.text)")
  }

  @Test func aRemoteURLIsNotFetched() throws {
    let url = try #require(URL(string: "https://example.com/v1.json"))
    let issue = try Recorder.failure { expectParity(legacy: url, server: Self.good) }
    #expect(issue.text == "https://example.com/v1.json: cannot open: expected the URL of a file")
  }

  struct Price: Encodable, ParityRecord {
    var price: Double
  }

  @Test func aValueThatCannotBeEncodedIsNotShown() throws {
    let legacy = Fixture.parity.legacy
    let issue = try Recorder.failure { expectParity(legacy: legacy, server: Price(price: .infinity)) }
    #expect(issue.text.hasPrefix("server: cannot encode price: "), "\(issue.text)")
  }

  @Test(arguments: Fixture.cases("rejects").filter { $0.exists("input.json") })
  func noBrokenRecordCrashesOrShowsTheSecret(_ fixture: Fixture) throws {
    let input = fixture.folder.appendingPathComponent("input.json")
    let heard = Recorder.hear {
      expectParity(legacy: input, server: Self.good)
      expectParity(legacy: Fixture.parity.legacy, server: input)
      expectConversion(input, equals: Self.good)
      expectConversion(Fixture.parity.legacy, equals: input)
    }
    #expect(heard.count >= 3)
    for issue in heard { #expect(!issue.text.contains("SECRET-SLIPCAST"), "\(issue.text)") }
  }
}
