import SlipcastBulk
import SlipcastMapping
import SlipcastWire

extension FuzzTarget {
  /// The reader of what arrives at the endpoint.
  static let request = FuzzTarget(
    name: "request",
    summary: "a body is a notification of one version, or refused with one word; the same body has the same id again; "
      + "what it shows of its subscriptions survives being stored",
    seeds: { try Seeds.files(["notifications", "rejects"], named: ["v1.json", "v2.json", "input.json"], most: 80) },
    words: LegacyWords.all + ["signedPayload", "eyJhbGciOiJFUzI1NiJ9.e30.AA"],
    make: {
      let rules = try RuleSet.builtIn()
      let prepared = Converter.PreparedRules(rules: rules)
      let reader = NotificationReader(prepared: prepared, recordBytes: 1 << 20)
      let history = EventHistoryReader(prepared: prepared, options: ConvertOptions())
      let settler = Settler(prepared: prepared, complete: [])
      return { bytes in
        try read(Array(bytes), reader)
        try settle(Array(bytes), history, settler)
      }
    })

  private static func read(_ body: [UInt8], _ reader: NotificationReader) throws {
    guard let found = try? reader.read(body, receivedAt: 1_700_000_000_000) else { return }
    guard let again = try? reader.read(body, receivedAt: 1_700_000_000_001), again.id == found.id else {
      throw Violation("the same body has another id")
    }
    guard (found.version == .v2) == !found.payload.isEmpty else { throw Violation("a V2 body without a payload") }
    if let line = DecodedNotification.line(of: body) { _ = DecodedNotification.subscription(in: line) }
  }

  /// A message keeps its content in a store, and is not evidence about itself.
  private static func settle(_ body: [UInt8], _ history: EventHistoryReader, _ settler: Settler) throws {
    let messages = history.messages(of: body, number: 7, receivedAt: nil)
    for (_, message) in messages {
      var bytes: [UInt8] = []
      message.write(to: &bytes)
      guard HistoryMessage(bytes) == message else {
        throw Violation("a stored message has other content")
      }
    }
    guard let own = messages.first?.message, settler.canSettle(own) else { return }
    if let settlement = settler.settleLast(of: [own]), settlement.by.contains(own.witness) {
      throw Violation("a message settles itself")
    }
  }
}
