package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// What two archives are compared by: the things that both list.
package enum ParityUnit: UInt8, CaseIterable, Sendable {
  case notification
  case transaction
  case subscription

  package var archive: String {
    switch self {
    case .notification: "notifications"
    case .transaction: "transaction histories"
    case .subscription: "subscription statuses"
    }
  }

  var legacyName: JSONText { JSONText("verifyReceipt") }

  var serverName: JSONText? {
    switch self {
    case .notification: nil
    case .transaction: JSONText("transaction")
    case .subscription: JSONText("subscription")
    }
  }

  /// A path of a notification as one of the answer that lists the unit.
  func path(_ path: String) -> String {
    let moves: [(from: String, to: String)] =
      switch self {
      case .notification: []
      case .transaction: [("data.transactionInfo.", "transactions[*].")]
      case .subscription: [("data.", "data[*].lastTransactions[*].")]
      }
    for move in moves where path.hasPrefix(move.from) { return move.to + path.dropFirst(move.from.count) }
    return path
  }
}

/// What an image says of its event before its values.
package struct EventHead: Sendable {
  package enum Origin: UInt8, Sendable {
    /// A version 1 notification, cast.
    case legacy
    /// A V2 notification of the server's.
    case server
    /// A V2 notification that Slipcast cast earlier.
    case cast
  }

  package var origin = Origin.legacy
  package var unit = ParityUnit.notification
  /// The message is a companion that V2 never sends.
  package var isAbsorbed = false
  /// It is an item by itself: nothing is known about the answer around it.
  package var isPart = false
  /// A V1 message says that the purchase was taken back, and no date of it.
  package var isTakenBackUndated = false
  /// A V1 message without a list: its period need not be the newest of the subscription.
  package var showsOnePeriod = false
  /// Its time is a date of its transaction.
  package var isTimedByPeriod = false
  /// The number of the record in its archive, from 1.
  package var record: Int64 = 0
  /// The row of the decision table, by its place in the rules; less than 0 for none.
  package var decision: Int16 = -1
  /// Other events that stay possible, and those of the row that the record rules out.
  package var alternatives = EventChoices()
  /// When it happened according to V1, milliseconds since 1970 UTC.
  package var eventTime: Int64?
  package var receivedAt: Int64?
  /// A legacy record was not written before this: the time of its event or answer, or of something newer that it shows.
  package var written: Int64?
  /// Auto-renew is on, and was last changed at this time, as a legacy record that reports no change of it states.
  package var autoRenewOnSince: Int64?
  /// When its states were judged; for a V2 record its date of signing.
  package var asOf: Int64?
  /// Its id: two deliveries of one event have the same.
  ///
  /// Of a legacy message it is that of the first event with its key.
  package var id: (high: UInt64, low: UInt64)?
  /// How deliveries of a legacy message are distinguished from separate events.
  package var kind = EventTrace.Kind.dated
  /// The renewal state that a legacy message shows; 0 for none.
  package var state: UInt64 = 0
  /// A digest of the content of a legacy message.
  package var content: UInt64?
  /// V1's `notification_type`, or type and subtype of a V2 record.
  ///
  /// Images keep it in their shape.
  package internal(set) var name = ""

  package init() {}

  /// When it happened, as well as it is known, milliseconds since 1970 UTC.
  package var time: Int64? { origin == .legacy ? eventTime ?? receivedAt : asOf ?? receivedAt }

  /// Mostly it was written when its event happened.
  fileprivate var keepsWritten: Bool { written != nil && written != asOf }

  /// When the answer was given that lists it; `nil` for a notification.
  package var answered: Int64? { unit == .notification ? nil : time }
}

/// An event as it waits for its counterpart: a head, its shape, and its values.
enum EventImage {
  private static let noTime = Int64.min

  static func write(_ head: EventHead, shape: UInt32, to writer: JSONWriter) {
    writer.byte(
      head.origin.rawValue | (head.content == nil ? 0 : hasContent) | (head.isPart ? isPart : 0)
        | (head.isTakenBackUndated ? isTakenBackUndated : 0)
        | (head.showsOnePeriod ? showsOnePeriod : 0)
        | (head.keepsWritten ? hasWritten : 0) | (head.autoRenewOnSince == nil ? 0 : hasOnSince))
    writer.byte(
      (head.isAbsorbed ? 1 : 0) | (head.id == nil ? 0 : 2) | (head.isTimedByPeriod ? 4 : 0)
        | (head.alternatives.isEmpty ? 0 : 8) | head.unit.rawValue << 4 | head.kind.rawValue << 6)
    writer.short(UInt16(bitPattern: head.decision))
    writer.word(shape)
    writer.long(head.record)
    for time in [head.eventTime, head.receivedAt, head.asOf] { writer.long(time ?? noTime) }
    writer.long(Int64(bitPattern: head.id?.high ?? 0))
    writer.long(Int64(bitPattern: head.id?.low ?? 0))
    writer.long(Int64(bitPattern: head.state))
    writer.long(Int64(bitPattern: head.content ?? 0))
    if head.keepsWritten, let written = head.written { writer.long(written) }
    if let since = head.autoRenewOnSince { writer.long(since) }
    guard !head.alternatives.isEmpty else { return }
    for mask in [head.alternatives.added, head.alternatives.excluded] {
      writer.long(Int64(bitPattern: mask.rawValue))
    }
  }

  /// A bit of the first byte, which also says where the record comes from.
  private static let originBits: UInt8 = 3
  private static let isTakenBackUndated: UInt8 = 4
  private static let hasContent: UInt8 = 128
  private static let isPart: UInt8 = 64
  private static let hasWritten: UInt8 = 32
  private static let hasOnSince: UInt8 = 16
  private static let showsOnePeriod: UInt8 = 8

  /// Bytes of a head; values follow.
  static let headBytes = 72

  /// A digest of what the record contains: distinguishes two records with one id.
  static func fingerprint(_ image: Span<UInt8>, _ head: EventHead) -> UInt64 {
    if let content = head.content { return content }
    guard image.count >= headBytes else { return 0 }
    let shape = Fingerprint.number(image.extracting(4..<8))
    // The content begins after the time at which it was written.
    let start = headBytes + (image[0] & hasWritten == 0 ? 0 : 8)
    return shape &* 0x9E37_79B9_7F4A_7C15 ^ Fingerprint.number(image.extracting(start...))
  }

  static func takeBack(in image: inout [UInt8]) {
    if !image.isEmpty { image[0] |= isTakenBackUndated }
  }

  /// The record's number follows kind, flags, decision and shape.
  static func addToRecord(_ before: Int64, of image: JSONWriter, at start: Int) {
    let place = start + 8
    let record = image.content.number(place, as: Int64.self) &+ before
    image.change(place..<place + 8) { bytes in
      for at in bytes.indices { bytes[at] = UInt8(truncatingIfNeeded: record >> Int64(8 * at)) }
    }
  }

  static func readHead(_ bytes: inout ImageBytes) -> (head: EventHead, shape: UInt32) {
    var head = EventHead()
    let first = bytes.byte()
    head.origin = EventHead.Origin(rawValue: first & originBits) ?? .server
    let flags = bytes.byte()
    (head.isAbsorbed, head.isTimedByPeriod) = (flags & 1 != 0, flags & 4 != 0)
    (head.isPart, head.showsOnePeriod) = (first & isPart != 0, first & showsOnePeriod != 0)
    head.isTakenBackUndated = first & isTakenBackUndated != 0
    head.unit = ParityUnit(rawValue: flags >> 4 & 3) ?? .notification
    head.kind = EventTrace.Kind(rawValue: flags >> 6) ?? .dated
    head.decision = Int16(bitPattern: bytes.short())
    let shape = bytes.word()
    head.record = bytes.long()
    func time(_ value: Int64) -> Int64? { value == noTime ? nil : value }
    head.eventTime = time(bytes.long())
    head.receivedAt = time(bytes.long())
    head.asOf = time(bytes.long())
    let id = (high: UInt64(bitPattern: bytes.long()), low: UInt64(bitPattern: bytes.long()))
    head.id = flags & 2 == 0 ? nil : id
    head.state = UInt64(bitPattern: bytes.long())
    let content = UInt64(bitPattern: bytes.long())
    head.content = first & hasContent == 0 ? nil : content
    head.written = first & hasWritten == 0 ? head.asOf : bytes.long()
    if first & hasOnSince != 0 { head.autoRenewOnSince = bytes.long() }
    if flags & 8 != 0 {
      head.alternatives.added = EventMask(rawValue: UInt64(bitPattern: bytes.long()))
      head.alternatives.excluded = EventMask(rawValue: UInt64(bitPattern: bytes.long()))
    }
    return (head, shape)
  }
}
