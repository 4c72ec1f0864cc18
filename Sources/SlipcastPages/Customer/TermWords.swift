internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastTimeline
internal import SlipcastV2

/// Periods in words.
enum TermWords {
  static func plan(_ term: LifeTerm) -> String {
    let length = PageTime.length(term.expires - term.from)
    switch term.plan {
    case .monthly: return "\(length), paid monthly"
    case .billedUpfront: return "\(length), paid at the start"
    case nil: return length
    }
  }

  static func offer(_ term: LifeTerm) -> String? {
    guard let type = term.offerType else { return term.isTrial ? "Free trial." : nil }
    if term.isTrial { return "Free trial." }
    switch type {
    case .introductory: return "Introductory offer."
    case .promotional: return "Promotional offer."
    case .offerCode: return "Offer code."
    case .winBack: return "Win-back offer."
    case .retention: return "Retention offer."
    }
  }

  /// The word that `timeline --states` has for the interval, and what a message that is missing has to do with it.
  static func certainty(_ confidence: Confidence, stated: Confidence) -> String {
    confidence == stated
      ? confidence.rawValue : "\(confidence.rawValue); \(stated.rawValue) unless a message is missing"
  }

  static func state(_ term: LifeTerm) -> String {
    if let time = term.revocation {
      return (term.revocationReason == .refunded ? "refunded " : "revoked ") + PageTime.day(time)
    }
    if term.isReplaced { return "replaced by another product" }
    return term.isTrial ? "free trial" : term.offerType != nil ? "with an offer" : "paid"
  }
}

extension OneTimePurchase.Kind {
  /// What it is, as a sentence.
  var words: String {
    switch self {
    case .lasting: "A purchase that does not end by itself."
    case .consumable: "A consumable: it is used up."
    case .nonRenewing: "A subscription that does not renew: the app decides when it ends."
    case .unknown: "A purchase without an end; no record states of which kind."
    }
  }
}
