import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
@_spi(Slipcast) import SlipcastWire
import Testing

/// One account, in words, as JSON and in numbers.
@Suite struct AccountLineTests {
  /// Reads and converts records one after another, as a run does.
  private struct Line {
    let reader = JSONReader(names: LegacyKey.names)
    let legacy = LegacyReader()
    let converter: Converter
    /// Compiled once: that takes much longer than converting a record.
    private static let prepared = Converter.PreparedRules(rules: BuiltIn.rules)

    init() throws {
      converter = Converter(prepared: Self.prepared, options: ConversionOptions(), record: legacy.record)
    }

    func prepare(_ text: JSONBuffer) throws {
      try legacy.read(try reader.read(text))
      converter.prepare(Converter.Delivery())
    }
  }

  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"), [Emission.auto, .history, .statuses])
  func provenanceSaysWhatTheAccountSays(_ fixture: Fixture, _ emission: Emission) throws {
    guard !(try fixture.arguments.contains("--body")) else { return }
    let text = JSONBuffer(try fixture.bytes("v1.json"))
    let line = try Line()
    // The tape shows the bytes of the text.
    defer { withExtendedLifetime(text) {} }
    try line.prepare(text)
    try line.converter.convert(into: emission)
    let writer = JSONWriter()
    line.converter.writeAccount(to: writer)
    let expected = JSONWriter()
    line.converter.account().write(to: expected)
    #expect(writer.string == expected.string)
  }

  /// Names of keys are copied from the record: those that look like no name are shown as their length.
  @Test func pathsShowNoTextThatIsNoName() throws {
    let body = #"{"notification_type":"DID_RENEW","original_transaction_id":1,"a\"\\\u0001\n":1,"\u0062id":"b","":2}"#
    let text = JSONBuffer(body.utf8)
    let line = try Line()
    // The tape shows the bytes of the text.
    defer { withExtendedLifetime(text) {} }
    try line.prepare(text)
    try line.converter.convert(into: .auto)
    let (writer, expected) = (JSONWriter(), JSONWriter())
    line.converter.writeAccount(to: writer)
    line.converter.account().write(to: expected)
    #expect(writer.string == expected.string)
    #expect(writer.string.contains(#"{"v1Path":"name(5)","reason":"Apple documents no such key here"}"#))
    #expect(writer.string.contains(#""v1Path":"bid""#))
  }

  /// Receipts of long-standing customers list every purchase twice.
  @Test(arguments: [Emission.history, .statuses])
  func aLongReceiptIsAccountedForInOneGo(_ emission: Emission) throws {
    let growth = try growth(from: 600) { try Self.accountForALongReceipt($0, emission) }
    #expect(growth < 64, "the time of sixteen times the purchases")
  }

  private static func accountForALongReceipt(_ count: Int, _ emission: Emission) throws {
    let rows = (0..<count).map { number in
      #"{"transaction_id":"\#(number)","original_transaction_id":"\#(number / 5)","product_id":"p","#
        + #""purchase_date":"2025-03-08 10:00:00 Etc/GMT","purchase_date_ms":"\#(1_741_428_000_000 + number)","#
        + #""expires_date_ms":"\#(1_744_106_400_000 + number)"}"#
    }
    let list = rows.joined(separator: ",")
    let body = #"{"status":0,"receipt":{"bundle_id":"b","in_app":[\#(list)]},"latest_receipt_info":[\#(list)]}"#
    let account = try Shared.converter.convert(body, into: emission).account
    #expect(account.repeated.count { $0.reason.hasPrefix("listed twice") } == (emission == .history ? count : 0))
    #expect(account.elsewhere.count >= (emission == .history ? 0 : count))
  }

  /// A value in the place of a list has no objects inside.
  @Test(arguments: [#""x""#, #""\u0078""#, "1", "null", "[]", "{}", "[1]"])
  func aListThatIsNoneLeavesTheOtherObjectsInTheirPlaces(_ list: String) throws {
    let body = #"""
      {"notification_type":"RENEWAL","unified_receipt":{"latest_receipt_info":\#(list),"pending_renewal_info":\#(list)},
      "latest_receipt_info":{"transaction_id":"2","original_transaction_id":"1","product_id":"p"},
      "pending_renewal_info":[{"product_id":"q","original_transaction_id":"9"}],
      "latest_expired_receipt_info":[{"transaction_id":"3","product_id":"q"},{"transaction_id":"4","product_id":"q"}]}
      """#
    let text = JSONBuffer(body.utf8)
    let line = try Line()
    // The tape shows the bytes of the text.
    defer { withExtendedLifetime(text) {} }
    try line.prepare(text)
    line.converter.convertToNotification()
    let outline = ConversionOutline()
    line.converter.outline(into: outline)
    #expect(!outline.values.isEmpty)
    #expect(outline.losses.allSatisfy { $0.place.object != nil })
  }
}

extension Account {
  /// The account as a line of provenance says it, word by word.
  fileprivate func write(to writer: JSONWriter) {
    writer.member("rule", rule)
    writer.member("confidence", confidence.rawValue)
    writer.list("fields", fields) { field in
      writer.member("v2Path", field.v2Path)
      writer.member("rule", field.rule)
      if let path = field.v1Path { writer.member("v1Path", path) }
      writer.member("relation", field.relation.rawValue)
      writer.member("confidence", field.confidence.rawValue)
    }
    for (name, list) in [("lost", lost), ("repeated", repeated), ("elsewhere", elsewhere)] {
      writer.list(name, list) { value in
        writer.member("v1Path", value.v1Path)
        if let path = value.heldBy { writer.member("heldBy", path) }
        if let rule = value.rule { writer.member("rule", rule) }
        if value.isUnreadable {
          writer.key("unreadable")
          writer.boolean(true)
        }
        writer.member("reason", value.reason)
      }
    }
    writer.list("absent", absent) { absence in
      writer.member("v2Path", absence.v2Path)
      writer.member("rule", absence.rule)
      writer.member("reason", absence.reason.rawValue)
    }
    writer.list("findings", findings) { finding in
      writer.member("code", finding.code)
      writer.member("severity", finding.severity.rawValue)
      writer.member("path", finding.path.description)
      writer.member("message", finding.message)
    }
  }
}
