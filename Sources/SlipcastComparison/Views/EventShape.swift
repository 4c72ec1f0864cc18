internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// What an image says besides its values: which fields stand, where they come from, what stays absent and what is lost.
///
/// Records of one kind have the same shape, so an archive has few; images name theirs by a number.
final class EventShape: Sendable {
  /// A value of the image, in the order of its payload.
  struct Field {
    /// Part and slot in one number.
    let index: Int
    let kind: ScalarView.Kind
    let isInferred: Bool
    let isSoleUse: Bool
    let relation: Relation
    let place: LegacyPlace
    let row: UInt8
  }

  struct Loss {
    let place: LegacyPlace
    let unknownPath: String?
    let row: UInt8
    let rule: Int16
    let isShown: Bool
    let fate: ValueFate
  }

  /// A value without a slot: inside an object of V2 without rules, or unknown.
  struct Extra {
    let path: String
    let name: String
    /// The field that contains it; `nil` for an unknown member.
    let owner: Int?
    /// The object that contains it, by part; `EventPart.count` deeper inside.
    let part: Int

    init(path: String, owner: Int?, part: Int) {
      (self.path, self.owner, self.part) = (path, owner, part)
      name = path.withoutPlaces
    }
  }

  /// V1's `notification_type`; for a V2 record type and subtype.
  let name: String
  /// V2's type and subtype: as the server says, or as the rules read the message.
  let event: EventName
  /// A number that equal events share; less than 0 where a shape is in no table.
  let eventNumber: Int
  let fields: [Field]
  /// Why fields stay absent, by part and slot.
  let absences: [UInt8]
  let losses: [Loss]
  let extras: [Extra]
  /// The places of `losses`, the most serious class first.
  let lossOrder: [Int]
  let hasUnreadable: Bool
  /// For each part the V1 objects that its values come from, as bits.
  let rowsOfPart: [UInt64]

  static let empty = EventShape(
    name: "", event: EventName(notificationType: ""), eventNumber: -1, fields: [], absences: [], losses: [], extras: [])

  init(
    name: String, event: EventName, eventNumber: Int, fields: [Field], absences: [(index: Int, reason: UInt8)],
    losses: [Loss], extras: [Extra]
  ) {
    (self.name, self.event, self.eventNumber) = (name, event, eventNumber)
    (self.fields, self.losses, self.extras) = (fields, losses, extras)
    hasUnreadable = losses.contains { $0.fate == .unreadable }
    lossOrder = losses.indices.sorted {
      let (one, two) = (losses[$0].fate.differenceClass, losses[$1].fate.differenceClass)
      return one == two ? $0 < $1 : one < two
    }
    var reasons = [UInt8](repeating: 0, count: absences.isEmpty ? 0 : EventPart.fieldCount)
    for absence in absences { reasons[absence.index] = absence.reason }
    self.absences = reasons
    var rows = [UInt64](repeating: 0, count: EventPart.count)
    for field in fields where field.row < 64 { rows[field.index >> 6] |= 1 << UInt64(field.row) }
    rowsOfPart = rows
  }

  func absence(_ index: Int) -> Account.Absence.Reason? {
    guard index < absences.count, absences[index] > 0 else { return nil }
    return Account.Absence.Reason.allCases[Int(absences[index]) - 1]
  }
}

/// The objects of an event, by number; a field's index is `ObjectPart.number(of:)`.
enum EventPart {
  static let count = ObjectPart.allCases.count
  static let fieldCount = 64 * count
  /// The slots of V2 fields, as bits; the others are `OpenSlot`.
  static let fields: UInt64 = 1 << UInt64(OpenSlot.first) - 1
}
