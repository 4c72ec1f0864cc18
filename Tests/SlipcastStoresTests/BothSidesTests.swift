import Foundation
import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores
@_spi(Slipcast) @testable import SlipcastWire

/// A store that holds what Slipcast converted from version 1 next to what Apple made.
@Suite struct BothSidesTests {
  private static let uuid = "3f5c9d0e-7a41-4b2c-9d6e-1a2b3c4d5e6f"
  private static let transaction =
    #"{"transactionId":"410000000000002","originalTransactionId":"410000000000001","bundleId":"com.example.slipcast.sides","#
    + #""productId":"com.example.slipcast.monthly","purchaseDate":1675242061000,"expiresDate":1677661261000,"#
    + #""environment":"Production","signedDate":1675242062000,"price":4990}"#
  private static let renewal =
    #"{"originalTransactionId":"410000000000001","autoRenewProductId":"com.example.slipcast.monthly","autoRenewStatus":1,"#
    + #""environment":"Production","signedDate":1675242062000,"renewalDate":1677661261000}"#

  private static func notification(_ data: String, uuid: String = uuid) -> String {
    #"{"notificationType":"DID_RENEW","notificationUUID":"\#(uuid)","version":"2.0","signedDate":1675242062000,"#
      + #""data":{"bundleId":"com.example.slipcast.sides","environment":"Production","status":1,\#(data)}}"#
  }

  private static let decoded = notification(#""transactionInfo":\#(transaction),"renewalInfo":\#(renewal)"#)

  private static func token(_ payload: String) -> String {
    func part(_ text: String) -> String {
      Base64.encode(Array(text.utf8)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    return [part(#"{"alg":"ES256"}"#), part(payload), part("signature")].joined(separator: ".")
  }

  private static let signedParts = notification(
    #""signedTransactionInfo":"\#(token(transaction))","signedRenewalInfo":"\#(token(renewal))""#)
  private static let signed = #"{"signedPayload":"\#(token(signedParts))"}"#

  /// Forms of one notification, all of which become the same row.
  private static let forms: [(name: String, text: String)] = [
    ("decoded", decoded), ("signed", signed), ("token", token(signedParts)),
    ("page", #"{"hasMore":false,"notificationHistory":[\#(signed.dropLast()),"sendAttempts":[]}]}"#),
    (
      "line of fetch",
      String(signed.dropLast()) + #","sendAttempts":[],"slipcast":{"endpoint":"notifications","page":1}}"#
    ),
    (
      "siblings",
      #"{"notification":\#(notification(#""bundleVersion":"1""#).replacing(#","bundleVersion":"1""#, with: "")),"#
        + #""transaction":\#(transaction),"renewal":\#(renewal)}"#
    ),
    ("in an array", "[\(decoded)]"),
  ]

  @discardableResult
  private func convert(
    _ text: String, at location: String, change: (inout ConvertOptions) -> Void = { _ in }
  ) async throws -> (RunCounts, [Reject]) {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/records.ndjson"
    try (text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    var options = ConvertOptions()
    change(&options)
    var rejects: [Reject] = []
    let store = try RecordStore(try StoreLocation(location))
    let (_, counts) = try await store.convert([InputFile(path: path)], rules: BuiltIn.rules, options: options) {
      rejects.append($0)
    }
    return (counts, rejects)
  }

  @Test(arguments: Database.present, forms.map(\.name))
  func aV2NotificationIsOneRowWhateverItsForm(_ database: Database, _ form: String) async throws {
    let text = try #require(Self.forms.first { $0.name == form }?.text)
    try await database.withEmptyDatabase { location in
      let (counts, rejects) = try await convert(text, at: location)
      #expect(counts.converted == 1 && counts.read == 1 && rejects.isEmpty, "\(rejects)")
      let columns = "origin, notificationUUID, originalTransactionId, productId"
      for (column, value) in zip(
        columns.split(separator: ", "),
        ["v2", Self.uuid, "410000000000001", "com.example.slipcast.monthly"])
      {
        #expect(try database.query("SELECT \(column) FROM notifications", at: location) == [value])
      }
      for column in ["rule", "confidence", "notification_type", "eventTime", "absorbedInto"] {
        #expect(try database.query("SELECT \(column) FROM notifications", at: location) == [nil], "\(column)")
      }
      #expect(try database.query("SELECT price FROM transactions", at: location) == ["4990"])
      #expect(try database.query("SELECT renewalDate FROM renewal_infos", at: location) == ["1677661261000"])
      #expect(try database.query("SELECT count(*) FROM findings", at: location) == ["0"])
      let body = try #require(try database.query("SELECT body FROM notifications", at: location).first ?? nil)
      #expect(body == Self.decoded)
    }
  }

  private static let answers: [(name: String, text: String, kind: String, transactions: Int, renewals: Int)] = [
    (
      "history",
      #"{"bundleId":"com.example.slipcast.sides","hasMore":false,"signedTransactions":["\#(token(transaction))"]}"#,
      "history", 1, 0
    ),
    (
      "statuses",
      #"{"bundleId":"com.example.slipcast.sides","environment":"Production","data":[{"subscriptionGroupIdentifier":"#
        + #""1","lastTransactions":[{"status":1,"originalTransactionId":"410000000000001","signedTransactionInfo":"#
        + #""\#(token(transaction))","signedRenewalInfo":"\#(token(renewal))"}]}]}"#, "statuses", 1, 1
    ),
    ("transaction", transaction, "parts", 1, 0), ("token of a transaction", token(transaction), "parts", 1, 0),
    ("renewal info", renewal, "parts", 0, 1),
    (
      "parts", #"{"signedTransactionInfo":"\#(token(transaction))","signedRenewalInfo":"\#(token(renewal))"}"#, "parts",
      1, 1
    ),
    (
      "app transaction",
      #"{"receiptType":"Production","bundleId":"com.example.slipcast.sides","applicationVersion":"1","#
        + #""receiptCreationDate":1675242061000,"originalApplicationVersion":"1"}"#, "appTransaction", 0, 0
    ),
  ]

  @Test(arguments: Database.present, answers.map(\.name))
  func everyOtherV2RecordIsAnAnswerWithItsParts(_ database: Database, _ name: String) async throws {
    let answer = try #require(Self.answers.first { $0.name == name })
    try await database.withEmptyDatabase { location in
      let (counts, rejects) = try await convert(answer.text, at: location)
      #expect(counts.converted == 1 && rejects.isEmpty, "\(rejects)")
      #expect(try database.query("SELECT origin FROM answers", at: location) == ["v2"])
      #expect(try database.query("SELECT kind FROM answers", at: location) == [answer.kind])
      #expect(try database.query("SELECT count(*) FROM transactions", at: location) == ["\(answer.transactions)"])
      #expect(try database.query("SELECT count(*) FROM renewal_infos", at: location) == ["\(answer.renewals)"])
      let body = try #require(try database.query("SELECT body FROM answers", at: location).first ?? nil)
      #expect(!body.contains("signed\""), "\(body)")
      #expect(!body.contains("eyJ"), "a signed text is decoded")
    }
  }

  @Test(arguments: Database.present)
  func valuesOfAnotherKindAreReadWithAFinding(_ database: Database) async throws {
    let text = Self.decoded.replacing(#""purchaseDate":1675242061000"#, with: #""purchaseDate":"1675242061000""#)
      .replacing(#""price":4990"#, with: #""price":"4990""#)
    try await database.withEmptyDatabase { location in
      let (counts, _) = try await convert(text, at: location)
      #expect(counts.findings.byCode.map(\.code) == ["unexpectedKind"])
      #expect(try database.query("SELECT purchaseDate FROM transactions", at: location) == ["1675242061000"])
      #expect(try database.query("SELECT price FROM transactions", at: location) == ["4990"])
      #expect(try database.query("SELECT occurrences FROM findings", at: location) == ["2"])
      #expect(try database.query("SELECT path FROM findings", at: location) == ["data.transactionInfo.purchaseDate"])
    }
  }

  /// What is wrong, and the place and the code of the reject.
  private static let wrong: [(name: String, text: String, code: String, path: String)] = [
    ("not signed", notification(#""signedTransactionInfo":"none""#), "notSigned", "data.signedTransactionInfo"),
    (
      "not signed, in a list", #"{"signedTransactions":["\#(token(transaction))","x.y"],"hasMore":false}"#, "notSigned",
      "signedTransactions[1]"
    ),
    (
      "V1 in a token", #"{"signedPayload":"\#(token(#"{"notification_type":"CANCEL"}"#))"}"#, "unknownRecord",
      "signedPayload"
    ),
    ("converted", decoded.replacing(uuid, with: "3f5c9d0e-7a41-5b2c-9d6e-1a2b3c4d5e6f"), "convertedRecord", ""),
    ("with a rule", String(decoded.dropLast()) + #","migration":{"rule":"x"}}"#, "convertedRecord", ""),
    ("of another kind", decoded.replacing("4990", with: "[1]"), "valueNotStorable", ""),
    ("empty page", #"{"hasMore":false,"notificationHistory":[]}"#, "emptyPage", ""),
  ]

  @Test(arguments: wrong.map(\.name))
  func whatIsNoV2RecordIsRejectedWithItsPlace(_ name: String) async throws {
    let wrong = try #require(Self.wrong.first { $0.name == name })
    try await Database.sqlite.withEmptyDatabase { location in
      let (counts, rejects) = try await convert(wrong.text, at: location)
      #expect(counts.rejected == 1 && counts.converted == 0)
      #expect(rejects.map(\.code) == [wrong.code] && rejects.map(\.path) == [wrong.path], "\(rejects)")
      #expect(try database("SELECT count(*) FROM rejects", location) == ["1"])
    }
  }

  /// Each notification of a page is a record by itself: one that is wrong takes no other one with it.
  @Test func aPageCountsItsNotifications() async throws {
    let others = (1...3).map { number in
      Self.notification(
        #""transactionInfo":\#(Self.transaction)"#, uuid: "3f5c9d0e-7a41-4b2c-9d6e-00000000000\(number)")
    }
    let broken = #"{"signedPayload":"none"}"#
    let page = #"{"hasMore":true,"notificationHistory":[\#((others + [broken, others[0]]).joined(separator: ","))]}"#
    try await Database.sqlite.withEmptyDatabase { location in
      let (counts, rejects) = try await convert(page, at: location)
      #expect(counts.read == 5 && counts.converted == 3 && counts.duplicate == 1 && counts.rejected == 1)
      #expect(rejects.map(\.path) == ["notificationHistory[3]: notificationHistory[3].signedPayload"])
      #expect(try database("SELECT record FROM notifications ORDER BY place", location) == ["1", "2", "3"])
    }
  }

  @Test(arguments: Database.present)
  func theSameNotificationComesOnceAndOneThatDiffersIsNoted(_ database: Database) async throws {
    try await database.withEmptyDatabase { location in
      try await convert(Self.decoded, at: location)
      // Signed again, and with numbers as text: the same content.
      let again = Self.signed + "\n" + Self.decoded.replacing("1675242062000", with: "1675242099000")
      let (same, _) = try await convert(again.replacing(":4990", with: ":\"4990\""), at: location)
      #expect(same.duplicate == 2 && same.findings.byCode.map(\.code) == ["unexpectedKind"], "\(same)")
      let (other, _) = try await convert(Self.decoded.replacing("4990", with: "5990"), at: location)
      #expect(other.duplicate == 1 && other.findings.byCode.map(\.code) == ["repeatDiffers"])
      #expect(try database.query("SELECT code FROM findings", at: location) == ["repeatDiffers"])
    }
  }

  private func legacy() throws -> String {
    try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
  }

  @Test(arguments: Database.present)
  func eachReaderOfAStoreSeesOneSide(_ database: Database) async throws {
    try await database.withEmptyDatabase { location in
      try await convert(try legacy() + "\n" + Self.decoded + "\n" + Self.transaction, at: location)
      let reader = try #require(try Store.reader(try StoreLocation(location)))
      for (rule, side, left) in [
        (StoreSideRule(preferred: .v1), StoreSide.v1, 2), (StoreSideRule(preferred: .v2), .v2, 1),
        (StoreSideRule(asked: .v2, preferred: .v1), .v2, 1), (.both, .both, 0),
        (StoreSideRule(asked: .both, preferred: .v1), .both, 0),
      ] {
        let chosen = try reader.choose(rule)
        #expect(chosen.side == side && chosen.leftOut == left)
        let page = try DatabaseRows(of: reader, chosen).readAll()
        #expect(page.rows.count == (side == .both ? 3 : side == .v1 ? 1 : 2))
        #expect(page.rows.allSatisfy { side == .both || $0.note?.origin.rawValue == side.rawValue })
      }
      #expect(try reader.choose(StoreSideRule(preferred: .v1), readsAnswers: false).leftOut == 1)
      let store = try RecordStore(try StoreLocation(location))
      var found: [String?] = []
      for side in StoreSide.allCases {
        try store.forEachNotification(side: side) { found.append($0.notification_type) }
      }
      #expect(found.count == 4 && found[0] == "DID_RENEW" && found[1] == nil)
      for (view, count) in [("v1", "1"), ("v2", "2"), ("\"both\"", "3")] {
        #expect(try database.query("SELECT count(*) FROM \(view)", at: location) == [count])
      }
    }
  }

  @Test(arguments: Database.present)
  func aStoreOfOneSideAloneIsReadWhateverIsPreferred(_ database: Database) async throws {
    try await database.withEmptyDatabase { location in
      try await convert(Self.decoded, at: location)
      let reader = try #require(try Store.reader(try StoreLocation(location)))
      #expect(try reader.choose(StoreSideRule(preferred: .v1)).side == .v2)
      #expect(try reader.choose(StoreSideRule(asked: .v1, preferred: .v1)).side == .v1)
    }
  }

  @Test(arguments: Database.present)
  func aCopyOfAStoreKeepsTheSides(_ database: Database) async throws {
    try await database.withEmptyDatabase { location in
      try await convert(try legacy() + "\n" + Self.decoded + "\n" + Self.renewal, at: location)
      try await Database.sqlite.withEmptyDatabase { copy in
        let store = try RecordStore(try StoreLocation(copy))
        let (_, counts) = try await store.convert(rowsOf: try StoreLocation(location), rules: BuiltIn.rules)
        #expect(counts.converted == 3)
        let columns = "origin || ' ' || kind || ' ' || body"
        let sql = "SELECT \(columns) FROM \"both\" ORDER BY place"
        #expect(try Database.sqlite.query(sql, at: copy) == database.query(sql, at: location))
      }
    }
  }

  /// Until version 5, the endpoint alone stored V2, and no rule had read it.
  @Test(arguments: Database.present)
  func aStoreOfVersion4GetsItsSides(_ database: Database) async throws {
    try await database.withEmptyDatabase { location in
      try Database.migrate(location, Array(SchemaVersion.all.prefix(4)))
      let columns = "place, notificationUUID, rule, run, source, record, body, originalTransactionId"
      try database.execute(
        """
        INSERT INTO notifications (\(columns)) VALUES
        (1, 'a', 'type.DID_RENEW', 1, 's', 1, '{}', '7'), (2, 'b', NULL, 1, 's', 2, '{}', '7')
        """, at: location)
      // Reading changes nothing, and knows the sides all the same.
      let reader = try #require(try Store.reader(try StoreLocation(location)))
      #expect(reader.version == 4)
      #expect(try reader.choose(StoreSideRule(preferred: .v1)).leftOut == 1)
      var places: [Int64] = []
      try reader.forEachEvent("7", of: .v2) { places.append($0.place) }
      #expect(places == [2])
      #expect(try DatabaseRows(of: reader, ChosenSide(.v1)).readAll().rows.count == 1)
      try reader.database.execute("ROLLBACK")
      try await convert(Self.decoded, at: location)
      #expect(
        try database.query("SELECT origin FROM notifications ORDER BY place", at: location) == ["v1", "v2", "v2"])
    }
  }

  @Test(arguments: Database.present)
  func bodiesAreKeptWithoutTheirSecrets(_ database: Database) async throws {
    let secret = "SECRET-SLIPCAST-bodies"
    let record = #"{"password":"\#(secret)","Shared_Secret":"\#(secret)","# + (try legacy()).dropFirst()
    // A text that holds JSON is parsed too; one that cannot be is not kept.
    let nested =
      String(record.dropLast())
      + #","note":"{\"password\":\"\#(secret)\",\"a\":1}","broken":"{\"password\":\"\#(secret)"}"#
    try await database.withEmptyDatabase { location in
      let (counts, _) = try await convert(nested + "\n" + Self.decoded, at: location) { $0.keepsBodies = true }
      #expect(counts.converted == 2)
      let bodies = try database.query("SELECT body FROM bodies", at: location)
      #expect(bodies.count == 1, "Apple's record is kept as it is already")
      let body = try #require(bodies.first ?? nil)
      #expect(!body.contains(secret) && !body.contains("password") && !body.contains("Shared_Secret"))
      #expect(body.contains(#""notification_type":"DID_RENEW""#) && body.contains(#"{\"a\":1}"#), "\(body)")
      #expect(try database.query("SELECT b.place FROM bodies b JOIN v1 ON v1.place = b.place", at: location).count == 1)
    }
  }

  @Test func onlyADatabaseKeepsBodies() throws {
    var options = ConvertOptions()
    options.keepsBodies = true
    #expect(throws: RunPlanError.bodiesElsewhere) {
      try RunPlan([InputFile](), to: .file("v2.ndjson"), rules: BuiltIn.rules, options: options)
    }
  }

  @Test func v2IsStillRejectedWhereNothingDistinguishesTheSides() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try (Self.decoded + "\n").write(toFile: folder.path + "/v2.ndjson", atomically: true, encoding: .utf8)
    let files = [InputFile(path: folder.path + "/v2.ndjson")]
    let outcome = try await RunPlan(files, to: .file(folder.path + "/out.ndjson"), rules: BuiltIn.rules).run()
    #expect(outcome.counts.rejected == 1)
  }

  private func database(_ sql: String, _ location: String) throws -> [String?] {
    try Database.sqlite.query(sql, at: location)
  }
}
