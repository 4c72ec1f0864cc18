@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What an event is about: its transaction, the subscription around it, the renewal that belongs to it.
///
/// V1 does not name the transaction. `decision.subject` in `Mappings/rules/decisions.json` is the order of the evidence.
struct Subject {
  /// How well the record shows what the event is about, the best first.
  enum Standing: UInt8 {
    /// The record names the transaction or subscription, or holds only one that fits the type.
    case named
    /// The record names another original transaction than the only one that fits.
    case otherOriginal
    /// One of several that fit was chosen by its product.
    case chosenByProduct
    /// It alone has a renewal entry that asks for consent to a price increase.
    case chosenByConsent
    /// One of several that fit was chosen by its dates.
    case chosenByDate
    /// Nothing in the record fits.
    case missing
  }

  /// The event's transaction as a place in `periods`.
  var target: Int?
  /// The target is one of several periods that were taken back at the same time, of which the record names none: it says
  /// what happened and when, but not to which of them.
  var isTied = false
  /// Those periods are of more than one subscription.
  var isTiedAcross = false
  /// Several cancellations fit, and the body of the message dates none of them.
  var isUndatedChoice = false
  /// The period before it, of the same original transaction or else of the same group.
  var previous: Int?
  /// The newest period of the subscription that is not upgraded.
  var newest: Int?
  /// The row of the renewal entry.
  var renewal: Int?
  /// The original transaction of the subscription.
  var original: JSONText?
  /// The original transaction as the body or the flat object names it.
  var named: JSONText?
  var standing = Standing.named
  /// The subscription was chosen among several, and only one of its transactions fits.
  var isOneOfSeveral = false
  /// A transaction is named but not listed.
  var isUnlisted = false
  /// All listed purchases are later than the event.
  var isBoughtLater = false
  /// A part of the transactions cannot be read, and nothing names the event's own.
  var isUnreadable = false
  /// The renewal entry names no subscription; others were excluded.
  var isRenewalByExclusion = false
  /// Entries that may be those of several subscriptions, this one among them.
  var unassignedRenewals: [Int] = []
}
