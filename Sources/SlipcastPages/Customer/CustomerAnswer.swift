internal import SlipcastMapping
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

  private let customer: Customer
  /// What decides: V2's answer, or V1's.
  let decisive: AccessAnswer?
  private let legacy: AccessAnswer?
  private let server: AccessAnswer?
  /// The side that decides.
  private let side: Customer.Side
  let isOfServer: Bool

  init(_ customer: Customer) {
    self.customer = customer
    legacy = AccessAnswer(customer.legacy.life, asOf: customer.asOf)
    server = customer.server.flatMap { AccessAnswer($0.life, asOf: customer.asOf) }
    // Apple's record counts, unless V1 has reported a later event.
    let isNewer = Self.isNewer(customer.legacy.newest, than: customer.server?.newest, customer.window)
    isOfServer = server != nil && (legacy == nil || !isNewer)
    decisive = isOfServer ? server : legacy
    side = (isOfServer ? customer.server : nil) ?? customer.legacy
  }

  private static func isNewer(_ one: Int64?, than other: Int64?, _ window: Int64) -> Bool {
    guard let one, let other else { return one != nil }
    return one > other && one - other > window
  }

  var tone: Tone {
    guard let decisive, decisive.access != .unknown, certainty == .certain, !differs else { return .caution }
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
    case .yes:
      let until = decisive.until.map { "until \(PageTime.moment($0))" } ?? "without an end"
      return decisive.reason == .grace ? "Has access \(until), in the billing grace period" : "Has access \(until)"
    case .no:
      let since = decisive.since.map { " since \(PageTime.moment($0))" } ?? ""
      return "Has no access\(since): \(why)"
    case .unknown:
      let since = decisive.since.map { " after \(PageTime.moment($0))" } ?? ""
      return "Access\(since) is not known: \(why)"
    }
  }

  /// Why access is missing, in the words of the event that ended it, if one did.
  private var why: String {
    switch decisive?.reason {
    case .expired: Self.reasons[lastEnd?.subtype ?? ""] ?? "the last period is over"
    case .billingRetry: "a payment failed, and Apple tries again"
    case .refunded: "Apple refunded the purchase"
    case .revoked: "Family Sharing or an assignment ended"
    case .upgraded: "another product replaced the period, and no record shows its period"
    case .unknown: "no record says whether it was renewed or ended"
    case .active, .grace, nil: "no record says more"
    }
  }

  private static let reasons = [
    "VOLUNTARY": "the customer had turned auto-renew off, and the last period is over",
    "BILLING_RETRY": "a payment failed, and Apple does not try again",
    "PRICE_INCREASE": "the customer did not agree to a higher price",
    "PRODUCT_NOT_FOR_SALE": "the product was not for sale when the period ended",
  ]

  /// The event that reports the end, from a message or shown by a trace.
  private var lastEnd: EventName? {
    let type = NotificationType.expired.rawValue
    for entry in side.life.entries.reversed() where (entry.time ?? .min) <= customer.asOf {
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
    guard let decisive, decisive.since != nil, decisive.reason != .expired, !decisive.reason.isRevocation,
      !side.life.terms.isEmpty
    else { return nil }
    switch decisive.renews {
    case true?: return "renews"
    case false?: return "does not renew"
    case nil: return "no record says whether it renews"
    }
  }

  // MARK: payments

  /// Periods that had begun.
  private var begun: [LifeTerm] { side.life.terms.filter { $0.from <= customer.asOf } }

  private var paidTerms: [LifeTerm] { begun.filter { !$0.isTrial && !isTakenBack($0) } }

  private func isTakenBack(_ term: LifeTerm) -> Bool {
    term.revocation.map { $0 <= customer.asOf } ?? false
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
  }

  private var paid: String? { begun.isEmpty ? nil : "\(count(paidTerms.count, "period")) paid" }

  /// A renewal that was charged early may be taken back before its period begins.
  private var refundedTerms: [LifeTerm] {
    side.life.terms.filter { isTakenBack($0) && $0.revocationReason == .refunded }
  }

  private var refunded: String {
    let isPurchase = begun.isEmpty && decisive?.reason == .refunded
    if isPurchase { return "the purchase is refunded" }
    return refundedTerms.isEmpty ? "nothing refunded" : "\(count(refundedTerms.count, "period")) refunded"
  }

  // MARK: how certain it is

  enum Certainty: Sendable {
    case certain, inferred, uncertain

    var words: String {
      switch self {
      case .certain: "certain"
      case .inferred: "inferred from other records"
      case .uncertain: "not certain"
      }
    }
  }

  private var openEvents: Int {
    side.life.entries.count { entry in
      if case .event(let group) = entry { !group.candidates.isEmpty } else { false }
    }
  }

  var certainty: Certainty {
    guard let decisive else { return .uncertain }
    let worst = decisive.confidence
    if worst == .ambiguous || decisive.access == .unknown || openEvents > 0 { return .uncertain }
    return worst == .inferred ? .inferred : .certain
  }

  /// V1 and V2 state different access; silence of one side is not a difference.
  var differs: Bool { agreement == false }

  private var agreement: Bool? {
    guard let legacy, let server else { return nil }
    return legacy.agrees(with: server)
  }

  private var difference: String? {
    guard agreement != true, let other = isOfServer ? legacy : server else { return nil }
    let name = isOfServer ? "V1" : "V2"
    let verb = differs ? "differs" : "says"
    switch other.access {
    case .yes:
      return "\(name) \(verb): access \(other.until.map { "until \(PageTime.moment($0))" } ?? "without an end")"
    case .no: return "\(name) \(verb): no access" + (other.since.map { " since \(PageTime.moment($0))" } ?? "")
    case .unknown: return "\(name) does not say"
    }
  }

  // MARK: the facts below the sentence

  var facts: [Fact] {
    [productFact, renewalFact, paidFact, refundFact, certaintyFact, sidesFact].compactMap(\.self)
  }

  private var productFact: Fact? {
    guard let product = decisive?.productId else { return nil }
    guard let term = begun.last(where: { $0.productId == product }) else {
      return Fact(question: "Product", answer: product, why: "A purchase that does not end by itself.")
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
    let trials = begun.count(where: \.isTrial)
    let offers = paidTerms.count { $0.offerType != nil }
    var why = trials > 0 ? ["\(count(trials, "free trial")) not counted."] : []
    if offers > 0 { why.append("\(offers == 1 ? "One" : offers.grouped) with an offer, which may have been free.") }
    return Fact(question: "Paid", answer: count(paidTerms.count, "period"), why: why.joined(separator: " "))
  }

  private var refundFact: Fact {
    let dates = refundedTerms.compactMap(\.revocation).map { PageTime.day($0) }
    return Fact(
      question: "Refunded",
      answer: refundedTerms.isEmpty
        ? (refunded == "nothing refunded" ? "nothing" : "the purchase")
        : count(refundedTerms.count, "period"),
      why: dates.isEmpty ? "" : "On \(dates.joined(separator: ", ")).")
  }

  private var certaintyFact: Fact {
    let why =
      openEvents > 0
      ? "\(count(openEvents, "event")) can be read in more than one way."
      : decisive?.access == .unknown
        ? "No record covers the judged time."
        : certainty == .certain
          ? "Records state it."
          : decisive?.access == .no
            ? "A later purchase without a record here would change it." : "No single record states it."
    return Fact(
      question: "Certain", answer: certainty == .certain ? "yes" : certainty == .inferred ? "inferred" : "no", why: why)
  }

  private var sidesFact: Fact {
    guard customer.server != nil else {
      return Fact(question: "V1 and V2", answer: "V1 only", why: "The records hold no V2 data of this customer.")
    }
    guard legacy != nil else { return Fact(question: "V1 and V2", answer: "V2 only", why: "No V1 message.") }
    var why = isOfServer ? "Apple's V2 counts." : "V1 counts: it reports a later event than the newest V2 record."
    let times = LifeDrawing(customer: customer).differences.count
    if times > 0, !differs {
      why += " They differ in \(times == 1 ? "a time" : "\(times) times") before, in red below."
    }
    return Fact(question: "V1 and V2", answer: agreementWords(isOfWholeLife: times == 0), why: why)
  }

  private func agreementWords(isOfWholeLife: Bool) -> String {
    switch agreement {
    case true?: isOfWholeLife ? "agree" : "agree now"
    case false?: "differ"
    case nil: legacy?.access == .unknown ? "V1 does not say" : "V2 does not say"
    }
  }
}

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

  static func state(_ term: LifeTerm) -> String {
    if let time = term.revocation {
      return (term.revocationReason == .refunded ? "refunded " : "revoked ") + PageTime.day(time)
    }
    if term.isReplaced { return "replaced by another product" }
    return term.isTrial ? "free trial" : term.offerType != nil ? "with an offer" : "paid"
  }

  /// The class of its box.
  static func tone(_ term: LifeTerm) -> String {
    if term.revocation != nil { return term.revocationReason == .refunded ? "refunded" : "ended" }
    if term.isReplaced { return "ended" }
    return term.isTrial || term.offerType != nil ? "free" : "paid"
  }
}
