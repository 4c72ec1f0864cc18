internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// One of the two records, taken apart into the objects that are compared together.
///
/// Each of these units is kept as the compact form of a view, so that a history of any length needs little memory.
final class ComparedRecord {
  enum Form {
    case notification, history, statuses, appTransaction
    /// A transaction, a renewal info, or both, without what stood around them.
    case parts
  }

  struct Unit {
    /// The view's compact form in `images`.
    let image: Range<Int>
    let leaves: ArraySlice<Leaf>
    /// The objects of the record, as bits, even if they have no members.
    let parts: UInt16
    /// Where what is known of the V1 sources of its values begins.
    var values = 0
    var losses = 0
  }

  struct Item {
    let unit: Unit
    var place: UnitPlace
    let keys: Pairing.Keys
  }

  var form = Form.notification
  var description = ""
  var origin = EventHead.Origin.server
  /// A notification or parts, or what surrounds the items of an answer.
  var outer: Unit?
  var groups: [Unit] = []
  var items: [Item] = []
  var hasMore = false
  /// An answer has what servers write around its items; a bare list of transactions has not.
  var hasEnvelope = true
  /// The time at which its states were judged, milliseconds since 1970 UTC.
  var time: Int64?
  /// A V1 record was not written before this, milliseconds since 1970 UTC.
  var written: Int64?
  /// A V1 message without a list: its period need not be the newest of the subscription.
  var showsOnePeriod = false
  /// What is known of its V1 record; `nil` for a V2 record.
  var source: LegacySource?
  /// Slipcast's own account, which casts carry.
  var migration: Migration?
  /// It is an earlier conversion, and the other record is not.
  var isConverted = false
  /// A notification has one of the objects that say what it is about.
  var hasPayload = true
  /// A separate part has a status next to it.
  var hasStatus = false
  var trust = SignatureTrust()
  /// Numbers and booleans that were read from text.
  var ofOtherKind = ValuesOfOtherKind()
  private let images = JSONWriter(capacity: 4096)

  struct SignatureTrust {
    /// Number of signed payloads that were decoded without verifying them.
    var unverified = 0
    /// Values stand outside of any signed payload.
    var hasUnsigned = false
    /// Somebody verified them beforehand.
    var isVerified = false
  }

  func append(_ view: ViewWriter, _ head: EventHead, parts: UInt16) -> Unit {
    let start = images.count
    view.write(head, to: images)
    return Unit(image: start..<images.count, leaves: view.leaves[...], parts: parts)
  }

  func append(_ unit: Unit, _ place: UnitPlace, _ view: RecordView) {
    show(unit, in: view)
    items.append(Item(unit: unit, place: place, keys: Pairing.Keys(view)))
  }

  /// Shows a unit; the view is valid until another one is appended.
  func show(_ unit: Unit?, in view: RecordView) {
    guard let unit else { return view.clear(origin) }
    view.read(images.buffer.span.extracting(unit.image))
    view.parts = unit.parts
  }

  func keep(_ item: Item) {
    if case .item(let group, _) = item.place { groups = [groups[group]] }
    items = [item]
    items[0].place = form == .history ? .transaction(0) : .item(group: 0, 0)
  }

  var kind: String {
    switch form {
    case .notification: "notification"
    case .history: "transaction history"
    case .statuses: "list of statuses"
    case .appTransaction: "app transaction"
    case .parts: "transaction or renewal info"
    }
  }
}
