@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What V1 leaves open about the offer of a transaction or a renewal; positions are those of V1 values on the tape.
struct OpenOffers {
  /// Both ids, where the record does not show which one applied.
  var ids: (promotional: Int, code: Int)?
  /// The promotional offer may be a win-back offer.
  var mayBeWinBack = false
}

/// Slots of values that belong to no V2 field: what V1 leaves open about an offer.
package enum OpenSlot {
  /// Fields of V2 have lower slots.
  package static let first = ObjectPart.mostFields
  package static let promotional = first
  package static let code = first + 1
  package static let winBack = first + 2
}

extension RecordBuilder {
  /// What the record leaves open about the offer of an object that was converted; `nil` for nothing.
  ///
  /// - Parameter values: the members of the object.
  func openOffers(of part: ObjectPart, _ values: CellRow) -> OpenOffers? {
    guard part == .transaction || part == .renewal else { return nil }
    let row = owner(of: part)
    guard row >= 0, record.text(row, .promotional_offer_id) != nil else { return nil }
    var open = OpenOffers()
    if record.text(row, .offer_code_ref_name) != nil, values.schema.slot("offerType").map(values.holds) == false {
      open.ids = (record.rows.slot(row, .promotional_offer_id), record.rows.slot(row, .offer_code_ref_name))
    }
    open.mayBeWinBack =
      part == .transaction ? focus.period.map(mayBeWinBack) ?? false : mayContinueWinBack
    return open.ids == nil && !open.mayBeWinBack ? nil : open
  }
}
