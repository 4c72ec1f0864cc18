internal import SlipcastMapping
internal import SlipcastTimeline

/// What a stretch of a life is drawn as: a class of the style sheet, with its words in the key of the drawing.
enum LifeTone: String, CaseIterable, Sendable {
  case paid, free, grace, retry, refunded, ended, unknown

  /// - Parameter isFree: a free trial, or an offer, which may be free.
  init(_ reason: AccessReason, isFree: Bool) {
    switch reason {
    case .active: self = isFree ? .free : .paid
    case .grace: self = .grace
    case .billingRetry: self = .retry
    case .refunded: self = .refunded
    case .expired, .revoked, .upgraded: self = .ended
    case .unknown: self = .unknown
    }
  }

  /// - Parameter term: the period that runs in the interval.
  init(_ interval: LifeInterval, of term: LifeTerm?) {
    self.init(interval.reason, isFree: interval.offerType != nil || term?.isTrial == true)
  }

  /// A whole period, by how it ended.
  init(_ term: LifeTerm) {
    let end = term.revocation.map { _ in term.revocationReason ?? .revoked }
    self.init(end ?? (term.isReplaced ? .upgraded : .active), isFree: term.isTrial || term.offerType != nil)
  }

  var words: String {
    switch self {
    case .paid: "paid"
    case .free: "free or an offer"
    case .grace: "grace period"
    case .retry: "billing retry, no access"
    case .refunded: "refunded"
    case .ended: "ended"
    case .unknown: "not known"
    }
  }
}
