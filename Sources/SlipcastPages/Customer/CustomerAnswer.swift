internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// The sentence of a customer's page, and the facts below it.
struct CustomerAnswer: Sendable {
  enum Tone: String, Sendable {
    case good = "parity"
    case bad = "conflict"
    case caution = "timeDependent"
  }

  struct Fact: Sendable {
    var question: String
    var answer: String
    var why = ""
  }

  let customer: Customer
  let differences: LifeDifferences
  /// What decides: V2's answer, or V1's.
  let decisive: AccessAnswer?
  let legacy: AccessAnswer?
  let server: AccessAnswer?
  /// The side that decides.
  private let side: Customer.Side
  let isOfServer: Bool
  /// Periods that had begun.
  let begun: [LifeTerm]
  /// Events with more than one reading that decide what the sentence says: since the last period began, or about money.
  private let openEvents: Int

  init(_ customer: Customer, _ differences: LifeDifferences) {
    (self.customer, self.differences) = (customer, differences)
    legacy = AccessAnswer(customer.legacy.life, customer.productTypes, asOf: customer.asOf)
    server = customer.server.flatMap { AccessAnswer($0.life, customer.productTypes, asOf: customer.asOf) }
    // Apple's record counts, unless V1 has reported a later event.
    let isNewer = Self.isNewer(customer.legacy.newest, than: customer.server?.newest, customer.window)
    isOfServer = server != nil && (legacy == nil || !isNewer)
    decisive = isOfServer ? server : legacy
    let side = (isOfServer ? customer.server : nil) ?? customer.legacy
    let begun = side.life.terms.filter { $0.from <= customer.asOf }
    let start = begun.last?.from ?? .min
    openEvents = side.life.entries.count { entry in
      guard case .event(let group) = entry, !group.candidates.isEmpty else { return false }
      return (group.time ?? .max) >= start || group.mayBe(.refund) || group.mayBe(.revoke)
    }
    (self.side, self.begun) = (side, begun)
  }

  private static func isNewer(_ one: Int64?, than other: Int64?, _ window: Int64) -> Bool {
    guard let one, let other else { return one != nil }
    return one > other && one - other > window
  }

  var tone: Tone {
    guard let decisive, decisive.statesAccess, certainty <= .unlessMissing, !differs else { return .caution }
    return decisive.access == .yes ? .good : .bad
  }

  /// `Has access until 17 June 2025, 12:00 UTC; renews; 4 periods paid; nothing refunded; certain`.
  var sentence: String {
    ([access] + [renewal, paid, refunded, certainty.words] + [difference]).compactMap(\.self).joined(separator: "; ")
  }

  // MARK: access

  private var access: String {
    guard let decisive else { return "No record shows a purchase" }
    switch decisive.access {
    case .yes: return hasAccess(decisive)
    case .no:
      let since = decisive.since.map { " since \(PageTime.moment($0))" } ?? ""
      return "Has no access\(since): \(why)"
    case .unknown:
      let since = decisive.since.map { " after \(PageTime.moment($0))" } ?? ""
      return "Access\(since) is not known: \(why)"
    }
  }

  private func hasAccess(_ answer: AccessAnswer) -> String {
    let bought = answer.since.map { " on \(PageTime.moment($0))" } ?? ""
    switch answer.purchase {
    case .consumable: return "Bought a consumable\(bought), which gives no lasting access"
    case .nonRenewing: return "Bought a subscription that does not renew\(bought): only the app knows its end"
    case .unknown: return "Made a purchase\(bought) that has no end, as far as these records show"
    case .lasting, nil: break
    }
    let until = answer.until.map { "until \(PageTime.moment($0))" } ?? "without an end"
    let how = answer.reason == .grace ? ", in the billing grace period" : isInTrial ? ", in a free trial" : ""
    return "Has access \(until)\(how)"
  }

  private var isInTrial: Bool { begun.last { $0.until > customer.asOf }?.isTrial ?? false }

  /// Why access is missing, in the words of the event that ended it, if one did.
  private var why: String {
    switch decisive?.reason {
    case .expired: Self.reasons[endSubtype ?? ""] ?? "the last period is over"
    case .billingRetry: "a payment failed, and Apple tries again"
    case .refunded: "Apple refunded the purchase"
    case .revoked: "Family Sharing or an assignment ended"
    case .upgraded: "another product replaced the period, and no record shows its period"
    case .unknown: whatIsLastKnown
    case .active, .grace, nil: "no record says more"
    }
  }

  /// What the last records say where none covers the judged time.
  private var whatIsLastKnown: String {
    switch decisive?.renews {
    case true?: "auto-renew was on, and no record shows a renewal or an end"
    case false?: "the customer had turned auto-renew off, and no record shows a later period"
    case nil: "no record says whether it was renewed or ended"
    }
  }

  private static let reasons = [
    "VOLUNTARY": "the customer had turned auto-renew off, and the last period is over",
    "BILLING_RETRY": "a payment failed, and Apple does not try again",
    "PRICE_INCREASE": "the customer did not agree to a higher price",
    "PRODUCT_NOT_FOR_SALE": "the product was not for sale when the period ended",
  ]

  /// Why it ended: what the event says that reports the end of the last period, or that a payment had failed.
  private var endSubtype: String? {
    lastEnd?.subtype ?? (decisive?.endedInRetry == true ? Subtype.billingRetry.rawValue : nil)
  }

  /// The event that reports the end of the last period, from a message or shown by a trace.
  private var lastEnd: EventName? {
    let type = NotificationType.expired.rawValue
    let start = begun.last?.from ?? .min
    for entry in side.life.entries.reversed() where (entry.time ?? .min) <= customer.asOf {
      guard (entry.time ?? .max) > start else { return nil }
      switch entry {
      case .event(let group):
        if group.candidates.isEmpty, group.notificationType == type { return group.event }
      case .gap(let gap): if gap.event.notificationType == type { return gap.event }
      case .transaction: break
      }
    }
    return nil
  }

  private var renewal: String? {
    guard let decisive, decisive.since != nil, !side.life.terms.isEmpty else { return nil }
    switch (decisive.reason, decisive.renews) {
    // What is over, or not known, is not renewed: the reason says more.
    case (.expired, _), (.refunded, _), (.revoked, _), (.upgraded, _), (.unknown, _): return nil
    case (.grace, true?), (.billingRetry, true?): return "renews when a payment succeeds"
    case (_, true?): return nextProduct.map { "renews as \($0)" } ?? "renews"
    case (_, false?): return "does not renew"
    case (_, nil): return "no record says whether it renews"
    }
  }

  /// The product of the next period, where it is another one.
  private var nextProduct: String? {
    let newest = side.life.entries.last { entry in
      guard case .event(let group) = entry, (group.time ?? .max) <= customer.asOf else { return false }
      return group.candidates.isEmpty && group.facts.renewal?.autoRenewProductId != nil
    }
    guard case .event(let group) = newest, let next = group.facts.renewal?.autoRenewProductId else { return nil }
    return next == decisive?.productId ? nil : next
  }

  // MARK: payments

  private var paidTerms: [LifeTerm] { begun.filter { !$0.isTrial && !$0.isShared && !isTakenBack($0) } }

  private var isShared: Bool { !begun.isEmpty && begun.allSatisfy(\.isShared) }

  private func isTakenBack(_ term: LifeTerm) -> Bool {
    term.revocation.map { $0 <= customer.asOf } ?? false
  }

  private var paid: String? {
    guard !begun.isEmpty else { return nil }
    if isShared { return "paid by another member of the family" }
    return paidTerms.isEmpty ? "no period paid" : "\(Words.count(paidTerms.count, "period")) paid"
  }

  /// A renewal that was charged early may be taken back before its period begins.
  private var refunds: [TakenBack] {
    (isOfServer ? differences.serverTakenBack : differences.legacyTakenBack).filter { $0.reason == .refunded }
  }

  /// Refunds of periods that records show, and others.
  private var refundWords: String {
    let known = Set(side.life.terms.map(\.key))
    let periods = refunds.count { $0.period.map(known.contains) ?? false }
    let others = refunds.count - periods
    if others == 0 { return periods == 0 ? "nothing" : Words.count(periods, "period") }
    let purchases = Words.count(others, side.life.terms.isEmpty ? "purchase" : "other purchase")
    return periods == 0 ? purchases : "\(Words.count(periods, "period")) and \(purchases)"
  }

  /// - Returns: `nil` for a purchase without periods whose refund is the reason already.
  private var refunded: String? {
    if isRefundedPurchase { return nil }
    let isTold = differences.takenBack.contains { !isExplained($0) && $0.noun == "refund" }
    return "\(refundWords) refunded" + (isTold ? " in \(sideName)" : "")
  }

  private var isRefundedPurchase: Bool { begun.isEmpty && decisive?.reason == .refunded }

  // MARK: how certain it is

  /// The surest first.
  enum Certainty: Comparable, Sendable {
    /// A record states it, and nothing else can have happened.
    case certain
    /// A record states it; a message that is missing could have changed it.
    case unlessMissing
    /// No single record states it.
    case inferred
    /// Records of the other side state something else.
    case disputed
    case uncertain

    var words: String {
      switch self {
      case .certain: "certain"
      case .unlessMissing: "certain unless a message is missing"
      case .inferred: "inferred"
      case .disputed: "not certain: V1 and V2 disagree"
      case .uncertain: "not certain"
      }
    }

    /// The answer to the question whether it is certain.
    var answer: String {
      switch self {
      case .certain: "yes"
      case .unlessMissing: "yes, unless a message is missing"
      case .inferred: "inferred"
      case .disputed, .uncertain: "no"
      }
    }
  }

  var certainty: Certainty {
    guard let decisive else { return .uncertain }
    if decisive.confidence == .ambiguous || decisive.access == .unknown || openEvents > 0 { return .uncertain }
    if isDisputed { return .disputed }
    if decisive.stated == .inferred { return .inferred }
    return decisive.confidence == .inferred ? .unlessMissing : .certain
  }

  // MARK: the facts below the sentence

  var facts: [Fact] {
    [productFact, renewalFact, paidFact, refundFact, certaintyFact, sidesFact].compactMap(\.self)
  }

  private var productFact: Fact? {
    guard let product = decisive?.productId else { return nil }
    guard let term = begun.last(where: { $0.productId == product }) else {
      return Fact(question: "Product", answer: product, why: decisive?.purchase?.words ?? "")
    }
    return Fact(
      question: "Product", answer: product, why: "Plan: \(TermWords.plan(term)). \(TermWords.offer(term) ?? "")")
  }

  private var renewalFact: Fact? {
    guard !side.life.terms.isEmpty, let renews = decisive?.renews else { return nil }
    return Fact(
      question: "Auto-renew", answer: renews ? "on" : "off",
      why: "As the newest record before the judged time states it.")
  }

  private var paidFact: Fact? {
    guard !begun.isEmpty else { return nil }
    if isShared {
      return Fact(
        question: "Paid", answer: "by the family", why: "Family Sharing: another member of the family bought it.")
    }
    let trials = begun.count(where: \.isTrial)
    let offers = paidTerms.count { $0.offerType != nil }
    var why = trials > 0 ? ["\(Words.count(trials, "free trial")) not counted."] : []
    if offers > 0 { why.append("\(offers == 1 ? "One" : offers.grouped) with an offer, which may have been free.") }
    return Fact(question: "Paid", answer: Words.count(paidTerms.count, "period"), why: why.joined(separator: " "))
  }

  private var refundFact: Fact {
    let dates = refunds.compactMap(\.time).map { PageTime.day($0) }
    return Fact(
      question: "Refunded", answer: isRefundedPurchase ? "the purchase" : refundWords,
      why: dates.isEmpty ? "" : "On \(dates.joined(separator: ", ")).")
  }

  private var certaintyFact: Fact {
    Fact(question: "Certain", answer: certainty.answer, why: certaintyReason)
  }

  private var certaintyReason: String {
    if openEvents > 0 { return "\(Words.count(openEvents, "event")) can be read in more than one way." }
    if decisive?.access == .unknown { return "No record covers the judged time." }
    return switch certainty {
    case .certain: "Records state it."
    case .unlessMissing:
      decisive?.access == .no
        ? "Records state it; a later purchase without a record here would change it."
        : "Records state it; a refund without a record here would change it."
    case .disputed: "V1 and V2 disagree about access or a refund."
    case .inferred, .uncertain: "No single record states it."
    }
  }
}
