internal import SlipcastV2
internal import SlipcastWire

/// The keys of V2 records by number, as tapes number them, and the members of each object by these numbers.
struct KeyTable: Sendable {
  /// All keys; a key's number is its place here.
  let names: [String]
  /// By object and key the slot of the member, or what the key is instead.
  private let slots: [[Int]]

  /// A name that the object does not have.
  static let unknown = -1
  /// A separate object, a text that it is decoded from, or what `fetch` adds to a response.
  static let separate = -2

  static let shared = KeyTable()

  private init() {
    let parts = ObjectPart.allCases
    let children = parts.flatMap { part in
      part.schema.fields.indices.filter { part.child($0) != nil }.map { part.schema.fields[$0].name }
    }
    let own = ["migration", "slipcast"]
    var names = ["signedPayload"] + own
    for name in parts.flatMap({ $0.schema.fields.map(\.name) }) where !names.contains(name) { names.append(name) }
    self.names = names
    slots = parts.map { part in
      // Transaction and renewal can also be next to the members of a notification.
      let signed = (part == .notification ? [part, .data] : [part]).flatMap { $0.schema.fields }
        .filter { $0.traits.decoded != nil }.map(\.name)
      let separate = Set(children + own + signed)
      return names.map { separate.contains($0) ? Self.separate : part.schema.slot($0) ?? Self.unknown }
    }
  }

  /// The slot of a member, `unknown` or `separate`.
  func slot(_ key: UInt16, in part: ObjectPart) -> Int {
    let slots = slots[Int(part.rawValue)]
    return Int(key) < slots.count ? slots[Int(key)] : Self.unknown
  }

  /// The number of a key that V2 records have.
  static func key(_ name: String) -> UInt16 {
    guard let number = shared.names.firstIndex(of: name) else { fatalError("V2 has no member \(name)") }
    return UInt16(number)
  }
}

/// Keys that lead from one object to another, by number.
enum Key {
  static let data = KeyTable.key("data")
  static let transactionInfo = KeyTable.key("transactionInfo")
  static let renewalInfo = KeyTable.key("renewalInfo")
  static let signedTransactionInfo = KeyTable.key("signedTransactionInfo")
  static let signedRenewalInfo = KeyTable.key("signedRenewalInfo")
  static let signedPayload = KeyTable.key("signedPayload")
  static let migration = KeyTable.key("migration")
  static let transactions = KeyTable.key("transactions")
  static let signedTransactions = KeyTable.key("signedTransactions")
  static let lastTransactions = KeyTable.key("lastTransactions")
  static let transactionId = KeyTable.key("transactionId")
  static let status = KeyTable.key("status")
}
