import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastWire
import Testing

/// The forms in which people have V2 records.
@Suite struct FormTests {
  private static let pair = Fixture.named("pairs/form-decoded")

  /// Base64url without padding.
  private static func encoded(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func signed(_ payload: Any) throws -> String {
    let json = try JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys])
    return [#"{"alg":"ES256","x5c":["AA"]}"#, String(decoding: json, as: UTF8.self)].map(encoded).joined(separator: ".")
      + ".c2lnbmF0dXJl"
  }

  private static func text(_ object: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  private static func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// The same notification in every form, by the name of the form.
  private static func forms() throws -> [(name: String, text: String)] {
    let decoded = try pair.text("v2.json")
    let root = try object(decoded)
    var inside = root
    var data = try #require(root["data"] as? [String: Any])
    let transaction = try signed(data["transactionInfo"] ?? "")
    let renewal = try signed(data["renewalInfo"] ?? "")
    (data["transactionInfo"], data["renewalInfo"]) = (nil, nil)
    let bare = data
    (data["signedTransactionInfo"], data["signedRenewalInfo"]) = (transaction, renewal)
    inside["data"] = data
    var beside = root
    (beside["data"], beside["signedTransactionInfo"], beside["signedRenewalInfo"]) = (bare, transaction, renewal)
    var outside = inside
    outside["data"] = bare
    let token = try signed(inside)
    return [
      ("inside", try text(inside)), ("beside", try text(beside)), ("payload", try text(["signedPayload": token])),
      ("token", token), ("token with blanks", "\r\n  \(token)\n"), ("string", "\"\(token)\""),
      ("byte order mark", "\u{FEFF}\(decoded)"),
      (
        "payload and parts",
        try text([
          "signedPayload": try signed(outside), "signedTransactionInfo": transaction, "signedRenewalInfo": renewal,
        ])
      ),
    ]
  }

  @Test func everyFormOfARecordGivesTheSameRows() throws {
    let legacy = try Self.pair.bytes("v1.json")
    let expected = try Shared.comparer.compare(legacy: legacy, server: try Self.pair.bytes("v2.json"))
    #expect(expected.notes.isEmpty)
    for (name, text) in try Self.forms() {
      let comparison = try Shared.comparer.compare(legacy: legacy, server: Array(text.utf8))
      #expect(comparison.fields == expected.fields, "\(name)")
      if name != "byte order mark" {
        #expect(comparison.notes.map(\.code) == ["unverified"], "\(name)")
        #expect(comparison.server.description.contains("signature not verified"))
      }
    }
  }

  /// Warehouses write numbers as text; they are read, and a note says so.
  @Test(arguments: [("expiresDate", 1), ("expiresDate quantity", 2)])
  func numbersAsTextAreReadAndSaid(_ names: String, _ count: Int) throws {
    let legacy = try Self.pair.bytes("v1.json")
    let expected = try Shared.comparer.compare(legacy: legacy, server: try Self.pair.bytes("v2.json"))
    var root = try Self.object(try Self.pair.text("v2.json"))
    var data = try #require(root["data"] as? [String: Any])
    var transaction = try #require(data["transactionInfo"] as? [String: Any])
    for name in names.split(separator: " ").map(String.init) {
      transaction[name] = "\(try #require(transaction[name]))"
    }
    data["transactionInfo"] = transaction
    root["data"] = data
    let comparison = try Shared.comparer.compare(legacy: legacy, server: Array(try Self.text(root).utf8))
    #expect(comparison.fields == expected.fields)
    #expect(comparison.notes.map(\.code) == ["unexpectedKind"] && !comparison.notes[0].isWarning)
    let start = count == 1 ? "1 value of the second record is " : "2 values of the second record are "
    #expect(comparison.notes[0].message.hasPrefix(start + "of another kind than Apple sends"))
    #expect(comparison.notes[0].message.contains("data.transactionInfo."))
  }

  @Test func aPartIsComparedWithThatPart() throws {
    let legacy = try Self.pair.bytes("v1.json")
    let data = try #require(try Self.object(try Self.pair.text("v2.json"))["data"] as? [String: Any])
    for name in ["transactionInfo", "renewalInfo"] {
      let part = try #require(data[name])
      for text in [try Self.text(part), try Self.signed(part), try Self.text([name: part])] {
        let comparison = try Shared.comparer.compare(legacy: legacy, server: Array(text.utf8))
        #expect(comparison.verdict == .parity)
        #expect(comparison.fields.count > 5)
        #expect(comparison.fields.allSatisfy { $0.v2Path?.hasPrefix("data.\(name).") ?? false })
        #expect(comparison.notes.contains { $0.code == "partial" })
      }
    }
  }

  /// They have no member in common that could contradict.
  @Test func aTransactionCannotBeComparedWithARenewal() throws {
    let data = try #require(try Self.object(try Self.pair.text("v2.json"))["data"] as? [String: Any])
    let parts = try ["transactionInfo", "renewalInfo"].map { try Self.text(data[$0] ?? "") }
    let comparer = try RecordComparer()
    for (first, second) in [(parts[0], parts[1]), (parts[1], parts[0])] {
      #expect(throws: ComparisonError.self) {
        try comparer.compare(legacy: Array(first.utf8), server: Array(second.utf8))
      }
    }
    let same = try comparer.compare(legacy: Array(parts[1].utf8), server: Array(parts[1].utf8))
    #expect(!same.fields.isEmpty && same.fields.allSatisfy { !same.fails($0) })
  }

  /// What an answer has around its transactions is not missing from a bare list of them.
  @Test func aBareListOfTransactionsIsComparedWithoutWhatStandsAroundIt() throws {
    let transaction = #""transactionId":"1","originalTransactionId":"1","productId":"p","purchaseDate":1650000000000"#
    let history = #"{"bundleId":"a.b","environment":"Production","hasMore":false,"transactions":[{\#(transaction)}]}"#
    let comparer = try RecordComparer()
    for (first, second) in [(history, "[{\(transaction)}]"), ("[{\(transaction)}]", history)] {
      let comparison = try comparer.compare(legacy: Array(first.utf8), server: Array(second.utf8))
      #expect(comparison.fields.count == 4 && comparison.fields.allSatisfy { !comparison.fails($0) })
    }
    let changed = transaction.replacing("productId\":\"p", with: "productId\":\"q")
    let other = try comparer.compare(legacy: Array(history.utf8), server: Array("[{\(changed)}]".utf8))
    #expect(other.fields.filter { other.fails($0) }.map(\.path) == ["transactions[0].productId"])
  }

  @Test func aPartThatTheReceiptDoesNotListCannotBeCompared() throws {
    let receipt = try Fixture.named("pairs/history-decoded").bytes("v1.json")
    let part = #"{"transactionId":"1","webOrderLineItemId":"2","originalTransactionId":"3","purchaseDate":1}"#
    #expect {
      _ = try Shared.comparer.compare(legacy: receipt, server: Array(part.utf8))
    } throws: { ($0 as? ComparisonError)?.reason == .unlisted }
  }

  /// Pairs whose record, by its form or its date, leaves open what its conversion seems to deny.
  private static let knownOnlyFromVersion1: Set = [
    "pairs/fail-to-renew-without-entry-in-grace", "pairs/refund-in-v2-after-the-request",
    "pairs/upgraded-in-v2-flat-receipt", "pairs/late-snapshot-with-refund",
  ]

  /// An earlier conversion takes the place of its record: it may know less, and causes no conflict.
  @Test(arguments: Fixture.cases("pairs"))
  func aCastInPlaceOfItsRecordAddsNoConflict(_ fixture: Fixture) throws {
    let (legacy, server) = (try fixture.bytes("v1.json"), try fixture.bytes("v2.json"))
    let direct = try Shared.comparer.compare(legacy: legacy, server: server)
    guard direct.isFromVersion1, !Self.knownOnlyFromVersion1.contains("\(fixture)") else { return }
    let converter = Shared.converter
    let emission: Emission =
      direct.server.description.contains("app transaction")
      ? .appTransaction
      : direct.server.description.contains("history")
        ? .history : direct.server.description.contains("statuses") ? .statuses : .auto
    let cast = try converter.convert(legacy, into: emission).json
    let through = try Shared.comparer.compare(legacy: Array(cast.utf8), server: server)
    let conflicts = { (comparison: Comparison) in
      Set(comparison.fields.filter { $0.differenceClass == .conflict && $0.v2Path != nil }.compactMap(\.v2Path))
    }
    #expect(conflicts(through).subtracting(conflicts(direct)).isEmpty)
  }
}
