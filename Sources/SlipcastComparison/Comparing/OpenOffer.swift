internal import SlipcastMapping
internal import SlipcastV2

/// The two offers that V1 names for a purchase or a renewal, where it leaves open which one applied.
struct OpenOffer {
  let promotional: ScalarView
  let code: ScalarView
  /// The promotional offer may be a win-back offer.
  let mayBeWinBack: Bool

  /// - Parameters:
  ///   - server: V2's record.
  ///   - part: the object, by its number.
  init?(_ legacy: RecordView, _ server: RecordView, _ part: Int) {
    guard let promotional = legacy[part << 6 | OpenSlot.promotional], let code = legacy[part << 6 | OpenSlot.code]
    else { return nil }
    (self.promotional, self.code) = (promotional, code)
    mayBeWinBack = Self.mayBeWinBack(legacy, server, part)
  }

  /// V1 leaves open whether the customer came back with it; who buys for the first time, as V2 says, did not.
  static func mayBeWinBack(_ legacy: RecordView, _ server: RecordView, _ part: Int) -> Bool {
    legacy[part << 6 | OpenSlot.winBack] != nil && server.event.subtype != Subtype.initialBuy.rawValue
  }

  /// V2's offer is of a type that V1 leaves possible.
  func allows(type: ScalarView?) -> Bool {
    switch Self.type(type) {
    case .promotional, .offerCode: true
    case .winBack: mayBeWinBack
    default: false
    }
  }

  /// V2's offer has the id that V1 has for an offer of its type.
  func allows(identifier: ScalarView?, ofType type: ScalarView?) -> Bool {
    guard let identifier else { return false }
    return switch Self.type(type) {
    case .promotional, .winBack: identifier.isEqual(to: promotional)
    case .offerCode: identifier.isEqual(to: code)
    default: identifier.isEqual(to: promotional) || identifier.isEqual(to: code)
    }
  }

  /// The slot of the V1 id that an offer of a V2 type is compared with.
  static func slot(ofType type: ScalarView?) -> Int {
    Self.type(type) == .offerCode ? OpenSlot.code : OpenSlot.promotional
  }

  private static func type(_ value: ScalarView?) -> OfferType? {
    value?.number.flatMap { Int32(exactly: $0) }.flatMap(OfferType.init)
  }
}
