import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// Whose access changes with the switch: the first of all findings.
  var accessSection: ReportSection {
    let words = accessHeadline + (isAccessAccepted ? " (accepted)" : "")
    let samples = entitlement.samples.map { sample in
      ReportFinding(
        records: Self.records(sample.legacyRecord, sample.serverRecord, sample.subject), pair: pairNumber(sample.pair),
        entries: [
          .init(label: "V1", value: .words(sample.legacy.words)),
          .init(label: "V2", value: .words(sample.server.words)),
          .init(label: "as of", value: .words(Words.moment(sample.asOf))),
        ], meaning: sample.explanation.safe)
    }
    var pairs = [ReportBlock.items(entitlement.outcomes + entitlement.remarks)]
    if !samples.isEmpty { pairs.append(.findings(samples)) }
    if let customers = customerBlocks {
      let all = Words.count(entitlement.pairs, "pair")
      pairs = customers + [.titled("Pairs of records", summary: all, pairs)]
    }
    return ReportSection(id: "access", title: "Access", summary: words, tone: accessTone, blocks: pairs)
  }

  /// Customers who gain or lose access; pairs where no record has a date.
  var accessChanges: Int { access?.changes ?? entitlement.conflicts }

  private var accessHeadline: String {
    guard let access else { return entitlement.headline }
    if access.changes > 0 {
      let outcomes = [(access.lockedOut, "locked out"), (access.servedForFree, "served for free")]
      let parts = outcomes.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
      return "after the switch, access changes for \(Words.count(access.changes, "customer")): "
        + parts.joined(separator: ", ")
    }
    let moment = Words.moment(access.asOf)
    if access.endChanges > 0 {
      let outcomes = [(access.endsEarlier, "earlier"), (access.endsLater, "later")]
      let parts = outcomes.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
      return "as of \(moment), no customer gains or loses access, but it ends at another time in V2 for "
        + "\(Words.count(access.endChanges, "customer")): \(parts)"
    }
    guard entitlement.conflicts > 0 else { return entitlement.headline }
    return "no customer gains or loses access as of \(moment), but at the time of the events access differs in "
      + "\(Words.count(entitlement.conflicts, "pair")) of \(Words.count(entitlement.subscriptions, "customer"))"
  }

  /// A gate would fail, were it not for a baseline or an option.
  private var isAccessAccepted: Bool { accessChanges + (access?.endChanges ?? 0) > 0 && !accessFails }

  private var accessTone: ReportTone {
    if accessChanges + (access?.endChanges ?? 0) > 0 { return accessFails ? .bad : .caution }
    return entitlement.conflicts > 0 ? (accessFails ? .bad : .caution) : entitlement.tone
  }

  var accessCase: ReportCase {
    let section = accessSection
    guard accessFails else {
      return ReportCase(name: "entitlement", kind: "entitlement", outcome: .passed(section.summary))
    }
    return ReportCase(
      name: "entitlement", kind: "entitlement",
      outcome: .failed(message: section.summary, type: "entitlement", details: section.blocks))
  }
}

extension EntitlementParity {
  /// Pairs in which both sides say the same.
  private var agreeing: Int { granted + denied }

  fileprivate var pairs: Int { agreeing + timeDependent + unknown + conflicts }

  fileprivate var headline: String {
    if conflicts > 0 {
      let subjects = Words.count(subscriptions, "subscription or purchase", "subscriptions or purchases")
      return "after the switch, access changes for \(subjects) (\(Words.count(conflicts, "pair")))"
    }
    if agreeing == 0 { return "no pair has enough data to compare access" }
    let pairs = agreeing == 1 ? "the only pair with enough data" : "all \(agreeing.grouped) pairs with enough data"
    let moment = asOf.map { Words.moment($0) } ?? "each event"
    let apart = endingApart == 0 ? "" : ", but access ends at another time in \(endingApart.grouped) of them"
    return "as of \(moment), no customer is locked out or served for free in \(pairs)\(apart)"
  }

  fileprivate var tone: ReportTone {
    conflicts > 0 ? .bad : agreeing == 0 ? .neutral : endingApart > 0 ? .caution : .good
  }

  fileprivate var outcomes: [ReportItem] {
    let conflicts = [
      ("locked out", "access in V1, no access in V2", legacyOnly),
      ("served for free", "no access in V1, access in V2", serverOnly),
    ]
    let others = [
      ("access in both", "", granted), ("access ends earlier in V2", "of those with access in both", serverEndsEarlier),
      ("access ends later in V2", "of those with access in both", serverEndsLater), ("no access in both", "", denied),
      ("too close to an end to decide", "both may be right", timeDependent),
      ("unknown", "one side does not have enough data", unknown),
    ]
    func item(_ outcome: (name: String, meaning: String, count: Int), _ tone: ReportTone?) -> ReportItem {
      ReportItem(lead: .count(outcome.count), name: outcome.name, words: outcome.meaning, tone: tone)
    }
    return (self.conflicts > 0 ? conflicts.map { item($0, .bad) } : [])
      + others.filter { $0.2 > 0 }.map { item($0, nil) }
  }

  /// How many conflicts are accepted, and as of when the pairs were compared.
  fileprivate var remarks: [ReportItem] {
    var words: [String] = []
    if accepted > 0 {
      words.append("\(accepted.grouped) of the conflicts \(accepted == 1 ? "is" : "are") accepted")
    }
    if pairs > 0 {
      let moment = asOf.map { "all pairs are compared as of \(Words.moment($0))" }
      words.append(moment ?? "each pair is compared as of its V2 signing date, or else the time of its event")
    }
    return words.map { ReportItem(words: $0) }
  }
}

extension EntitlementParity.Access {
  /// `access (active)`, `no access (refunded)`.
  fileprivate var words: String { "\(isGranted ? "access" : "no access") (\(reason.words))" }
}
