internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// What a V1 record about another subscription of the customer shows of one: a list holds all that a person bought.
struct Sighting {
  /// The number of the record in its archive, from 1; while a block is read, in the block.
  let record: Int64
  /// The id of its row.
  let id: String?
  let time: Int64?
  let listed: [UntoldPeriod]
  /// The periods are of the record's own subscription, and were taken back: this asks for events and not for access.
  let isOfRefunds: Bool

  init(record: Int64, id: String?, time: Int64?, listed: [UntoldPeriod], isOfRefunds: Bool = false) {
    (self.record, self.id, self.time, self.listed) = (record, id, time, listed)
    self.isOfRefunds = isOfRefunds
  }

  init(stored body: Span<UInt8>) {
    let start: Int
    (id, listed, start) = PairEvent.readStart(body)
    isOfRefunds = body[0] == Self.sideOfRefunds
    record = ListedPeriod.number(body, at: start)
    let time = ListedPeriod.number(body, at: start + 8)
    self.time = time == .min ? nil : time
  }

  /// It is stored where events are; these begin with their side.
  private static let side: UInt8 = 2
  private static let sideOfRefunds: UInt8 = 3

  static func isStored(_ body: Span<UInt8>) -> Bool { body[0] == side || body[0] == sideOfRefunds }

  /// Writes it as the sort buffer holds it.
  ///
  /// - Parameter before: records before its block.
  func store(after before: Int64, to writer: JSONWriter) {
    PairEvent.writeStart(isOfRefunds ? Self.sideOfRefunds : Self.side, id, listed, to: writer)
    for number in [record &+ before, time ?? .min] { ListedPeriod.write(number, to: writer) }
  }
}

/// A period that a list shows, as the sort buffer holds it.
enum ListedPeriod {
  static let bytes = 25

  static func write(_ period: UntoldPeriod, to writer: JSONWriter) {
    for number in [period.key.purchase, period.expires, period.revocation] { write(number, to: writer) }
    writer.byte((period.isUpgraded ? 1 : 0) | (period.isReplacedBeforeItBegan ? 2 : 0))
  }

  static func write(_ number: Int64, to writer: JSONWriter) {
    for shift in stride(from: 0, to: 64, by: 8) { writer.byte(UInt8(truncatingIfNeeded: number >> Int64(shift))) }
  }

  static func number(_ body: Span<UInt8>, at place: Int) -> Int64 {
    (0..<8).reduce(Int64(0)) { $0 | Int64(body[place + $1]) << Int64(8 * $1) }
  }

  static func read(_ body: Span<UInt8>) -> [UntoldPeriod] {
    stride(from: 0, to: body.count, by: bytes).map { start in
      let key = UntoldPeriod.Key(id: 0, purchase: number(body, at: start))
      var period = UntoldPeriod(key: key, expires: number(body, at: start + 8), product: 0)
      period.revocation = number(body, at: start + 16)
      (period.isUpgraded, period.isReplacedBeforeItBegan) = (body[start + 24] & 1 != 0, body[start + 24] & 2 != 0)
      return period
    }
  }
}
