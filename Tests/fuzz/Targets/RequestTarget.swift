import SlipcastBulk
import SlipcastMapping
import SlipcastWire

extension FuzzTarget {
  /// The reader of what arrives at the endpoint.
  static let request = FuzzTarget(
    name: "request",
    summary: "a body is a notification of one version, or refused with one word; the same body has the same id again",
    seeds: { try Seeds.files(["notifications", "rejects"], named: ["v1.json", "v2.json", "input.json"], most: 80) },
    words: LegacyWords.all + ["signedPayload", "eyJhbGciOiJFUzI1NiJ9.e30.AA"],
    make: {
      let rules = try RuleSet.builtIn()
      let reader = NotificationReader(prepared: Converter.PreparedRules(rules), recordBytes: 1 << 20)
      return { bytes in try read(Array(bytes), reader) }
    })

  private static func read(_ body: [UInt8], _ reader: NotificationReader) throws {
    guard let found = try? reader.read(body, receivedAt: 1_700_000_000_000) else { return }
    guard let again = try? reader.read(body, receivedAt: 1_700_000_000_001), again.id == found.id else {
      throw Violation("the same body has another id")
    }
    guard (found.version == .v2) == !found.payload.isEmpty else { throw Violation("a V2 body without a payload") }
    if let line = DecodedNotification.line(of: body) { _ = SubscriptionName.find(in: line) }
  }
}
