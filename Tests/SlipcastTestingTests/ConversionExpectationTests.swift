import Foundation
import SlipcastTestSupport
import SlipcastTesting
import Testing

@Suite struct ConversionExpectationTests {
  static let renewal = Fixture.named("notifications/did-renew")

  /// The golden fixtures' own `v2.json` are casts with everything that Slipcast adds.
  @Test(arguments: Fixture.cases("notifications", with: "v2.json") + Fixture.cases("receipts", with: "v2.json"))
  func theHeldTruthIsWhatTheCastGives(_ fixture: Fixture) throws {
    // Rows that wrap their record are the command's work, and so are options.
    guard try fixture.arguments.isEmpty else { return }
    let heard = Recorder.hear { expectConversion(fixture.legacy, equals: fixture.server) }
    #expect(heard.isEmpty, "\(heard.map(\.text))")
  }

  @Test func aDifferenceIsShownFieldByField() throws {
    let server = try Self.renewal.text("v2.json").replacing("\"status\": 1", with: "\"status\": 2")
      .replacing("\"quantity\": 1", with: "\"price\": 4990")
    let line = #line + 1
    let issue = try Recorder.failure { expectConversion(Self.renewal.legacy, equals: server, "as the ledger has it") }
    #expect(issue.site.line == line)
    #expect(
      issue.text == """
        3 of 39 fields differ from the expectation: data.status, data.transactionInfo.quantity, \
        data.transactionInfo.price
        as the ledger has it

          data.status
            expected  2
            found     1
            Made by rule notification.data.status, inferred.

          data.transactionInfo.quantity
            expected  absent
            found     1
            V1        "1"  unified_receipt.latest_receipt_info[0].quantity
            Made by rule transaction.quantity, documented.

          data.transactionInfo.price
            expected  4990
            found     absent
            Left out by rule transaction.price: V1 has no key for it.
        """)
  }

  @Test func whatSlipcastMakesItselfCountsOnlyWhereItIsExpected() throws {
    let cast = try LegacyConverter().convert(Self.renewal.bytes("v1.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(cast.json.utf8)) as? [String: Any])
    func expectation(_ change: (inout [String: Any]) -> Void) throws -> Data {
      var copy = json
      change(&copy)
      return try JSONSerialization.data(withJSONObject: copy)
    }
    let fine = try Recorder.hear {
      expectConversion(Self.renewal.legacy, equals: try expectation { $0["migration"] = nil })
      expectConversion(Self.renewal.legacy, equals: try expectation { $0["notificationUUID"] = nil })
      expectConversion(Self.renewal.legacy, equals: try expectation { $0["subtype"] = NSNull() })
    }
    #expect(fine.isEmpty, "\(fine.map(\.text))")
    let uuid = try Recorder.failure {
      expectConversion(Self.renewal.legacy, equals: try expectation { $0["notificationUUID"] = "another" })
    }
    #expect(uuid.headline.hasSuffix(": notificationUUID"))
    let rule = try Recorder.failure {
      expectConversion(Self.renewal.legacy, equals: try expectation { $0["migration"] = ["rule": "another"] })
    }
    #expect(rule.headline.contains("migration.rule, migration.confidence, migration.inferred[0]"))
  }

  @Test(arguments: ["1", "1.0", "1e0", "10E-1"])
  func aNumberCountsByItsValue(_ spelling: String) throws {
    let server = try Self.renewal.text("v2.json").replacing("\"status\": 1,", with: "\"status\": \(spelling),")
    #expect(Recorder.hear { expectConversion(Self.renewal.legacy, equals: server) }.isEmpty)
  }

  @Test func acceptedDifferencesDoNotFail() throws {
    let server = try Self.renewal.text("v2.json").replacing("\"status\": 1", with: "\"status\": 2")
    let heard = Recorder.hear {
      expectConversion(
        Self.renewal.legacy, equals: server,
        ignoring: [IgnoreRule("data.status", because: "ours is judged later"), IgnoreRule("data.x", because: "?")])
    }
    #expect(heard.map(\.severity) == [.warning])
  }

  @Test func aReceiptIsCastIntoWhatIsExpected() throws {
    let fixture = Fixture.named("receipts/every-key")
    let converter = try LegacyConverter()
    let statuses = try converter.convert(fixture.bytes("v1.json"), into: .statuses)
    let history = try converter.convert(fixture.bytes("v1.json"), into: .history)
    let heard = Recorder.hear {
      #expect(expectConversion(fixture.legacy, equals: statuses)?.statuses != nil)
      #expect(expectConversion(fixture.legacy, equals: history)?.history != nil)
    }
    #expect(heard.isEmpty)
    let issue = try Recorder.failure { expectConversion(fixture.legacy, equals: history, into: .statuses) }
    #expect(issue.headline.contains("differ from"))
  }

  @Test(arguments: [
    ("", "the expectation:1: byte 0: expected a JSON object, found nothing; a text is the record itself, .file(…) "),
    ("{\n\"a\":", "the expectation:2: byte 6: the record ends inside an object or array"),
    ("[1]", "the expectation: expected a version 2 record, found no JSON object"),
    (
      #"{"notification_type":"X","password":"SECRET"}"#,
      "the expectation: expected a version 2 record, found a version 1"
    ),
  ])
  func anExpectationThatIsNoneIsAnIssue(_ text: String, _ expected: String) throws {
    let issue = try Recorder.failure { #expect(expectConversion(Self.renewal.legacy, equals: text) == nil) }
    #expect(issue.text.hasPrefix(expected), "\(issue.text)")
    #expect(!issue.text.contains("SECRET"))
  }

  @Test func aVersion2RecordHasNoCast() throws {
    let issue = try Recorder.failure { expectConversion(Self.renewal.server, equals: Self.renewal.server) }
    #expect(issue.text.contains(": expected a legacy record, found "), "\(issue.text)")
  }

  @Test func aSecretInAnExpectationIsWithheld() throws {
    let issue = try Recorder.failure {
      expectConversion(Self.renewal.legacy, equals: #"{"notificationType":"DID_RENEW","data":{"Password":"SECRET"}}"#)
    }
    #expect(issue.text.contains("data.Password\n    expected  not shown\n    found     absent"))
    #expect(!issue.text.contains("\"SECRET"))
  }
}
