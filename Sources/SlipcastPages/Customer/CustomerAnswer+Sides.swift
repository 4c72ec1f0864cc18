internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastTimeline
internal import SlipcastWire

/// Which side says what, where V1 and V2 disagree.
extension CustomerAnswer {
  var sideName: String { isOfServer ? "V2" : "V1" }
  private var otherName: String { isOfServer ? "V1" : "V2" }
  private var other: AccessAnswer? { isOfServer ? legacy : server }

  /// V1 and V2 state different access, refunds or ends of the last period; silence of one side is not a difference.
  var differs: Bool { agreement == false || !differences.takenBack.isEmpty || endDifference != nil }

  /// They disagree about access or a refund, and not because of what V1 never reports.
  var isDisputed: Bool {
    agreement == false && !isExplained || differences.takenBack.contains { !isExplained($0) }
  }

  private var agreement: Bool? {
    guard let legacy, let server else { return nil }
    return legacy.agrees(with: server, tolerance: customer.tolerance)
  }

  func isExplained(_ difference: TakenBackDifference) -> Bool { isOfServer && difference.isReversed }

  /// What V1 never reports makes the difference of access: V2 is right.
  private var isExplained: Bool { isOfServer && explanation != nil }

  /// Why V1 cannot know it.
  private var explanation: String? {
    if legacy?.reason.isRevocation == true, differences.takenBack.contains(where: isExplained) {
      return "V1 never reports that Apple takes a refund back"
    }
    return endDifference?.isExtended == true ? "V1 never reports that Apple extends a period" : nil
  }

  /// The newest period that had begun, where its ends differ.
  private var endDifference: LifeDifferences.End? {
    guard let last = begun.last else { return nil }
    return differences.ends.last { (isOfServer ? $0.server : $0.legacy).key == last.key }
  }

  // MARK: in the sentence

  /// What the other side says: `V2 has no refund: access until 17 June 2025, 12:00 UTC`.
  var difference: String? {
    guard customer.server != nil else { return nil }
    let refunds = refundDifference
    let access = agreement == true ? nil : otherAccess(isAfterRefund: refunds != nil)
    let words = [refunds, access].compactMap(\.self).joined(separator: ": ")
    guard words.isEmpty else {
      return "\(otherName) \(words)" + (isExplained ? explanation.map { " (\($0))" } ?? "" : "")
    }
    guard let endDifference else { return nil }
    let end = (isOfServer ? endDifference.legacy : endDifference.server).expires
    return "\(otherName) differs: the last period ends \(PageTime.moment(end))"
  }

  /// The access of the other side; after its words about a refund only what these leave open.
  private func otherAccess(isAfterRefund: Bool) -> String? {
    guard let other, other.statesAccess || other.access == .unknown else { return nil }
    let verb = isAfterRefund ? "" : agreement == false ? "differs: " : "says: "
    switch other.access {
    case .yes: return "\(verb)access \(other.until.map { "until \(PageTime.moment($0))" } ?? "without an end")"
    case .no:
      if isAfterRefund { return nil }
      return "\(verb)no access" + (other.since.map { " since \(PageTime.moment($0))" } ?? "")
    case .unknown: return isAfterRefund ? nil : "does not say"
    }
  }

  /// What the other side says of refunds: `has no refund`.
  private var refundDifference: String? {
    let differing = differences.takenBack.filter { !isExplained($0) }
    let own = differing.filter { (isOfServer ? $0.legacy : $0.server) == nil }
    let others = differing.compactMap { (isOfServer ? $0.server : $0.legacy) == nil ? $0.legacy ?? $0.server : nil }
    let moved = differing.filter { $0.legacy != nil && $0.server != nil }
    var words: [String] = []
    if let first = own.first, first.isReversed {
      words.append("says that Apple took the \(first.noun) back")
    } else if let first = own.first {
      let isNone = (isOfServer ? differences.legacyTakenBack : differences.serverTakenBack).isEmpty
      words.append(isNone ? "has no \(first.noun)" : "lacks \(Words.count(own.count, first.noun))")
    }
    if let first = others.first {
      let when = first.time.map { " on \(PageTime.moment($0))" } ?? ", of which no record states the time"
      let noun = first.reason == .refunded ? "refund" : "revocation"
      words.append(others.count == 1 ? "has a \(noun)\(when)" : "has \(Words.count(others.count, "more \(noun)"))")
    }
    for one in moved.prefix(1) {
      let time = (isOfServer ? one.legacy : one.server)?.time
      words.append(
        "dates \(moved.count == 1 ? "the \(one.noun)" : Words.count(moved.count, one.noun) + " otherwise, one")"
          + (time.map { " \(PageTime.moment($0))" } ?? ""))
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  // MARK: below the sentence

  var sidesFact: Fact {
    guard customer.server != nil else {
      return Fact(question: "V1 and V2", answer: "V1 only", why: "The records hold no V2 data of this customer.")
    }
    guard legacy != nil else { return Fact(question: "V1 and V2", answer: "V2 only", why: "No V1 message.") }
    var why = [isOfServer ? "Apple's V2 counts." : "V1 counts: it reports a later event than the newest V2 record."]
    why += statements(differences.takenBack.map(Self.statement))
    why += statements(differences.ends.map(Self.statement))
    let count = differences.spans.count
    if count > 0, agreement != false {
      why.append("Access differed earlier\(count == 1 ? "" : ", \(count) times"): in red below.")
    }
    return Fact(question: "V1 and V2", answer: agreementWords, why: why.joined(separator: " "))
  }

  private var agreementWords: String {
    if differs { return "differ" }
    switch agreement {
    case true?: return differences.spans.isEmpty ? "agree" : "agree now"
    case false?: return "differ"
    case nil: return legacy?.access == .unknown ? "V1 does not say" : "V2 does not say"
    }
  }

  /// More are in the table of periods.
  private static let mostStatements = 3

  private func statements(_ all: [String]) -> [String] {
    let rest = all.count - Self.mostStatements
    return Array(all.prefix(Self.mostStatements)) + (rest > 0 ? ["\(rest.grouped) more differ: see the periods."] : [])
  }

  private static func statement(_ one: TakenBackDifference) -> String {
    func words(_ side: TakenBack?) -> String {
      guard let side else { return "no \(one.noun)" }
      let noun = side.reason == .refunded ? "a refund" : "a revocation"
      return noun + (side.time.map { " on \(PageTime.moment($0))" } ?? " without a date")
    }
    return "V1 has \(words(one.legacy)), V2 has "
      + (one.isReversed ? "it, and that Apple took it back." : "\(words(one.server)).")
  }

  private static func statement(_ end: LifeDifferences.End) -> String {
    let ends = "\(PageTime.moment(end.legacy.expires)) in V1, \(PageTime.moment(end.server.expires)) in V2"
    return
      "The period from \(PageTime.day(end.server.from)) ends \(ends)\(end.isExtended ? ", because Apple extended it." : ".")"
  }
}
