@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// A value of V1's `notification_type`, with what `event` in its file of `Mappings/rules/notification-types` says of it.
///
/// Code asks what a type is, and never which one it is: what a single type is alone in is a trait of it.
struct LegacyType: Hashable, Sendable {
  /// What its messages report, and of which purchases.
  enum Trait: UInt8, CaseIterable, Sendable {
    /// V1 sends it for auto-renewable subscriptions alone.
    case forSubscriptions
    /// V1 sends it for purchases that are no auto-renewable subscriptions; a listed subscription is not taken for one.
    case forOneTimePurchases
    /// V1 sends it to family members alone.
    case forFamilyMembers
    /// The first purchase of a subscription, by the customer.
    case firstPurchase
    /// A later purchase by the customer.
    case laterPurchase
    /// A purchase that Apple makes for the customer.
    case renewal
    /// A renewal after one that failed.
    case recovery
    /// V1's word for a recovery until 2021-03-10; the Sandbox sends it for other renewals too.
    case formerRecovery
    /// A renewal that failed.
    case failure
    /// Access to a purchase ends before the purchase's own end.
    case reversal
    /// Apple also sends it for the period that an upgrade ended, which takes nothing back.
    case afterUpgrade
    /// The body itself names the line item of the purchase, and dates the cancellation.
    case namedByBody
    /// A request for consent to a price increase.
    case consentRequest

    /// The trait as rule files spell it.
    var name: String { Self.names[Int(rawValue)] }

    /// All of them, in the order of the cases, without reflection.
    private static let names = [
      "forSubscriptions", "forOneTimePurchases", "forFamilyMembers", "firstPurchase", "laterPurchase", "renewal",
      "recovery", "formerRecovery", "failure", "reversal", "afterUpgrade", "namedByBody", "consentRequest",
    ]

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
  }

  /// The date of the record that is the event's time.
  enum Clock: String, CaseIterable, Sendable {
    /// Of the event's transaction.
    case purchase, expiry
    /// Of the event's transaction, else of the body.
    case cancellation
    /// Of the body: `auto_renew_status_change_date`.
    case statusChange
  }

  /// Its place in `RuleSet.legacyTypes`.
  let number: Int
  /// `nil`: the record states no time of the event.
  let clock: Clock?
  /// The key whose new value in the body is the event itself.
  let changedKey: LegacyKey?
  /// From when V1 sends it to family members, in milliseconds since 1970 UTC; `Int64.max` for never.
  let familyStart: Int64
  private let traits: UInt16

  init(_ entry: LegacyTypeEntry, number: Int, familyStart: Int64 = .max) {
    (self.number, clock, changedKey, self.familyStart) = (number, entry.clock, entry.changedKey, familyStart)
    traits = entry.traits.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
  }

  /// A type as a sort buffer keeps it: its number, and `numbers`.
  init(number: Int, _ numbers: (traits: Int64, familyStart: Int64)) {
    (self.number, familyStart) = (number, numbers.familyStart)
    traits = UInt16(truncatingIfNeeded: numbers.traits)
    changedKey = LegacyKey(rawValue: UInt8(truncatingIfNeeded: numbers.traits >> 16))
    let clocks = Clock.allCases
    let place = Int(numbers.traits >> 24 & 0xFF)
    clock = place < clocks.count ? clocks[place] : nil
  }

  /// What a sort buffer keeps of it.
  var numbers: [Int64] {
    let place = clock.flatMap { Clock.allCases.firstIndex(of: $0) } ?? 0xFF
    return [Int64(traits) | Int64(changedKey?.rawValue ?? .max) << 16 | Int64(place) << 24, familyStart]
  }

  /// Every word that has no file: the first one of all lists of types.
  static let unknown = LegacyType(LegacyTypeEntry(name: LegacyTypeEntry.anyOther), number: 0)

  @inline(__always)
  func `is`(_ trait: Trait) -> Bool { traits & 1 << UInt16(trait.rawValue) != 0 }

  /// Its event is a purchase by the customer.
  var isPurchaseByHand: Bool { self.is(.firstPurchase) || self.is(.laterPurchase) }

  /// Its event is the purchase or renewal of its transaction.
  var isPurchase: Bool { isPurchaseByHand || self.is(.renewal) }

  var changesAutoRenew: Bool { changedKey == .auto_renew_status }

  var changesProduct: Bool { changedKey == .auto_renew_product_id }
}

/// The head of a file of the decision table: the V1 type that its rows are about.
package struct LegacyTypeEntry: Sendable {
  /// The word of all types that have no file.
  static let anyOther = "*"

  /// As `notification_type` spells it.
  package var name: String
  var traits: [LegacyType.Trait] = []
  var clock: LegacyType.Clock?
  var changedKey: LegacyKey?

  init(name: String) { self.name = name }

  /// Reads `{"type": …, "time": …, "changes": …, "is": […]}`.
  init?(_ entry: RuleEntry) {
    entry.only(["type", "time", "changes", "is"])
    guard let name = entry.text("type") else { return nil }
    self.name = name
    if entry.element["time"] != nil { clock = entry.word("time", LegacyType.Clock.self) }
    if let key = entry.optionalText("changes") {
      changedKey = LegacyKey(name: key)
      if changedKey == nil { entry.fault("\"\(key)\" is not a V1 key", at: "changes") }
    }
    for word in entry.texts("is") {
      guard let trait = LegacyType.Trait.byName[word] else {
        let names = LegacyType.Trait.allCases.map(\.name).joined(separator: ", ")
        entry.fault("\"\(word)\" is not one of \(names)", at: "is")
        continue
      }
      traits.append(trait)
    }
  }
}
