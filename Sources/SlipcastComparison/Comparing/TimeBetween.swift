internal import SlipcastMapping
internal import SlipcastV2

/// What happened, or may have happened, between two answers about one purchase or subscription.
///
/// V1's answer has a time, V2's a signature. What the later one shows to be younger than the earlier one cannot be in that.
struct TimeBetween {
  /// The later answer is about a period that the earlier one cannot know.
  private(set) var hasNewPeriod = false
  /// An end, a purchase or a refund happened in between.
  private(set) var hasDatedChange = false
  /// The period ran at the earlier time, and enough time for an upgrade passed.
  private(set) var mayBeUpgraded = false
  /// The subscription ran then, or its billing was retried: what has no date may have changed as well.
  private(set) var mayHaveChanged = false
  let isServerLater: Bool

  /// The limits of a comparison, in milliseconds.
  struct Limits {
    /// Within so much time nothing is expected to change that has no date.
    var still: Int64
    /// Apple charges renewals so much earlier.
    var early: Int64
  }

  /// `nil` where the two are of one time, where a time is unknown, and where nothing in between explains a difference.
  ///
  /// - Parameters:
  ///   - signed: when V2's answer was signed, milliseconds since 1970 UTC.
  ///   - serverEnd: the latest signature in V2's archive: until then V2 lacks nothing that V1 dates.
  init?(
    _ legacy: RecordView, _ server: RecordView, signed: Int64?, serverEnd: Int64?, isOtherPurchase: Bool,
    _ limits: Limits
  ) {
    guard server.head.unit != .notification, let signed, let answered = legacy.head.written, signed != answered else {
      return nil
    }
    isServerLater = signed > answered
    let archiveEnd = max(signed, serverEnd ?? signed)
    if isOtherPurchase, Self.cannotKnow(server, legacy, until: archiveEnd) {
      hasNewPeriod = true
      return
    }
    let (earlier, later) = isServerLater ? (legacy, server) : (server, legacy)
    let (from, to) = isServerLater ? (answered, signed) : (archiveEnd, answered)
    if isOtherPurchase {
      hasNewPeriod = from < to && Self.isNew(later, after: earlier, answered: from, limits)
      guard hasNewPeriod else { return nil }
    }
    // What was taken back before, both have to show.
    guard hasNewPeriod || Self.isRefundKept(earlier, later, from) else { return nil }
    let expiries = Self.dates([FieldNumber.expiresDate, FieldNumber.renewalDate], earlier, later)
    let graces = Self.dates([FieldNumber.gracePeriodExpiresDate], earlier, later)
    let changes = Self.dates([FieldNumber.revocationDate, FieldNumber.purchaseDate], later)
    hasDatedChange = (changes + expiries + graces).contains { from < $0 && $0 <= to }
    guard answered.distanceMagnitude(to: signed) > limits.still.magnitude, !Self.isRevoked(earlier) else { return }
    let end = (expiries + graces).max()
    mayBeUpgraded = from < to && expiries.max().map { $0 > from } ?? false
    mayHaveChanged = end.map { $0 > min(answered, signed) &- limits.still } ?? false || Self.isRetried(earlier)
  }

  /// A period was bought after the earlier answer, or paid at last whose billing was retried then.
  private static func isNew(
    _ later: RecordView, after earlier: RecordView, answered: Int64, _ limits: Limits
  ) -> Bool {
    guard let purchase = later.integer(FieldNumber.purchaseDate) else { return false }
    if purchase > answered { return true }
    guard isRetried(earlier), let end = earlier.integer(FieldNumber.expiresDate) else { return false }
    return purchase >= end &- limits.early
  }

  /// One of the two cannot know the period of the other one, whenever V1's record was written: without a list V1 knows none
  /// after its own, and V2 none that began after its archive.
  private static func cannotKnow(_ server: RecordView, _ legacy: RecordView, until end: Int64) -> Bool {
    guard let own = legacy.integer(FieldNumber.purchaseDate) else { return false }
    if own > end { return true }
    return legacy.head.showsOnePeriod && server.integer(FieldNumber.purchaseDate).map { $0 > own } ?? false
  }

  private static func isRefundKept(_ earlier: RecordView, _ later: RecordView, _ from: Int64) -> Bool {
    let revocation = later.integer(FieldNumber.revocationDate)
    if isRevoked(earlier) { return isRevoked(later) }
    return revocation.map { $0 > from } ?? !isRevoked(later)
  }

  private static func isRevoked(_ view: RecordView) -> Bool {
    view[FieldNumber.revocationDate] != nil || has(view, .revoked)
  }

  private static func isRetried(_ view: RecordView) -> Bool {
    view[FieldNumber.isInBillingRetryPeriod]?.integer == 1 || has(view, .billingRetry) || has(view, .billingGracePeriod)
  }

  private static func has(_ view: RecordView, _ status: Status) -> Bool {
    let number = view.integer(FieldNumber.status) ?? view.integer(FieldNumber.statusOfItem)
    return number == Int64(status.rawValue)
  }

  private static func dates(_ fields: [Int], _ views: RecordView...) -> [Int64] {
    views.flatMap { view in fields.compactMap { view.integer($0) } }
  }
}
