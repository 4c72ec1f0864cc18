package import SlipcastMapping
internal import SlipcastWire

/// The conditions under which two archives count as being in parity.
///
/// By default every conflict fails, and so do changes of access and of its end, records that could not be read, archives
/// without a common event, and every event without a counterpart in the time that both archives cover. A missing refund
/// has a separate condition, which no share loosens. A baseline accepts the differences and the single missing events
/// that it knows and fails on all others. Shares replace failing on every conflict where no baseline is given.
package struct ParityGates: Sendable {
  /// Classes that fail besides `conflict`.
  package var strict: Set<DifferenceClass> = []
  /// What is known, and what the caller calls it.
  package var baseline: Baseline?
  /// Shares that must agree.
  package var agreements: [AgreementGate] = []
  /// How many records of both archives may be unreadable; `nil`: none.
  package var maxRejects: EventLimit?
  /// How many events of a side, besides refunds, may have no counterpart; `nil`: none.
  package var maxMissing: EventLimit?
  /// How many refunds and revocations of both sides may have no counterpart.
  package var maxMissingRefunds = 0
  /// How many customers may gain or lose access, besides those that the baseline accepts.
  package var maxAccessChanges = 0
  /// For how many customers access may end at another time, besides those that the baseline accepts; `nil`: none.
  package var maxEndChanges: EventLimit?

  /// The archives are parts: whether anything could be compared is known when all parts have been.
  package var isOfPart = false

  /// Every conflict fails, and every other default gate is in force.
  package init() {}

  /// Judges a result: adds its gates, and notes about the baseline and about nothing to judge.
  package func judge(_ result: inout ParityResult) {
    let isJudged = isOfPart || result.pairs.compared > 0
    if !isJudged {
      result.gates.append(
        ParityResult.Gate(
          name: "compared", holds: false,
          message: Self.nothingCompared))
    }
    if let baseline {
      result.gates.append(gate(baseline, result))
      if result.pairs.compared > 0 { result.notes += notes(baseline, result) }
    } else if agreements.isEmpty {
      result.gates.append(conflicts(result))
    }
    if baseline == nil {
      for differenceClass in strict.sorted() { result.gates.append(gate(differenceClass, result)) }
    }
    for agreement in agreements { result.gates.append(gate(agreement, result)) }
    if !agreements.contains(where: { $0.path == KnownDifference.entitlement }) { result.gates.append(access(result)) }
    if let gate = ends(result) { result.gates.append(gate) }
    if let gate = rejects(result) { result.gates.append(gate) }
    if isJudged { result.gates += [missing(result), missingRefunds(result)] }
    result.notes += [endOfAccess(result.entitlement), outside(result)].compactMap(\.self)
  }

  /// Why archives without a common event are not in parity.
  package static let nothingCompared =
    "nothing was compared: no event is in both archives; are they of one app and one time?"

  /// Access is judged at one moment; sides that disagree on its end differ later.
  private func endOfAccess(_ access: EntitlementParity) -> Comparison.Note? {
    let ends = [(access.serverEndsEarlier, "earlier"), (access.serverEndsLater, "later")].filter { $0.0 > 0 }
    guard !ends.isEmpty else { return nil }
    return Comparison.Note(
      code: "endOfAccess", isWarning: true,
      message: "V2 ends access " + ends.map { "\($1) than V1 in \(Self.words($0, "pair"))" }.joined(separator: " and ")
        + ", but both sides agree at the time compared; --as-of TIME sets another")
  }

  // MARK: whole archives

  private func rejects(_ result: ParityResult) -> ParityResult.Gate? {
    let (count, all) = (
      result.pairs.rejected.legacy + result.pairs.rejected.server, result.legacy.records + result.server.records
    )
    guard count > 0 || maxRejects != nil else { return nil }
    let limit = maxRejects ?? .none
    let most = maxRejects.map { "; \($0) may" } ?? ""
    return ParityResult.Gate(
      name: "maxRejects", holds: limit.allows(count, of: all),
      message: "\(count) of \(Self.words(all, "record")) could not be read\(most)")
  }

  // MARK: gates

  /// Who is served after the switch: customers at one time, or pairs where no record has a date.
  private func access(_ result: ParityResult) -> ParityResult.Gate {
    let events = result.entitlement
    var counts = (out: events.legacyOnly, free: events.serverOnly, accepted: events.accepted)
    if let access = result.access { counts = (access.lockedOut, access.servedForFree, access.accepted) }
    let changes = counts.out + counts.free
    var parts = ["no customer gains or loses access"]
    if changes > 0 {
      let all = result.access == nil ? "in \(Self.words(changes, "pair"))" : "for \(Self.words(changes, "customer"))"
      parts = ["after the switch, access changes \(all) (\(counts.out) locked out, \(counts.free) served for free)"]
    } else if events.conflicts > 0 {
      parts = ["no customer gains or loses access\(at(result))"]
      let accepted = events.accepted > 0 ? ", of which the baseline accepts \(events.accepted)" : ""
      parts.append("at the time of the events access differs in \(Self.words(events.conflicts, "pair"))\(accepted)")
    }
    if counts.accepted > 0 { parts.append("the baseline accepts \(counts.accepted)") }
    if maxAccessChanges > 0 { parts.append("\(maxAccessChanges) allowed") }
    let holds = changes - counts.accepted <= maxAccessChanges
    return ParityResult.Gate(name: "access", holds: holds, message: parts.joined(separator: "; "))
  }

  private func at(_ result: ParityResult) -> String {
    guard let time = result.access?.asOf else { return "" }
    return " at \(Timestamp(milliseconds: time).description.prefix { $0 != "." && $0 != "Z" })Z"
  }

  /// Until when customers are served after the switch.
  private func ends(_ result: ParityResult) -> ParityResult.Gate? {
    guard let access = result.access else { return nil }
    let count = access.endChanges
    var parts = ["access ends at the same time for every customer"]
    if count > 0 {
      parts = [
        "access ends at another time in V2 for \(Self.words(count, "customer")) (\(access.endsEarlier) earlier, "
          + "\(access.endsLater) later)"
      ]
    }
    if access.endsAccepted > 0 { parts.append("the baseline accepts \(access.endsAccepted)") }
    if let maxEndChanges { parts.append("\(maxEndChanges) allowed") }
    let limit = maxEndChanges ?? .none
    return ParityResult.Gate(
      name: "endChanges", holds: limit.allows(count - access.endsAccepted, of: access.compared),
      message: parts.joined(separator: "; "))
  }

  private func conflicts(_ result: ParityResult) -> ParityResult.Gate {
    let (count, all) = (result.pairs.conflicting, result.pairs.compared)
    return ParityResult.Gate(
      name: "conflicts", holds: count == 0,
      message: count == 0
        ? "no field of \(Self.words(all, "pair")) is in conflict"
        : "\(Self.words(count, "pair")) of \(all) \(count == 1 ? "has" : "have") fields in conflict")
  }

  private func gate(_ differenceClass: DifferenceClass, _ result: ParityResult) -> ParityResult.Gate {
    let name = differenceClass.rawValue
    let paths = result.fields.filter { $0.count(differenceClass) > 0 }
    let count = paths.reduce(0) { $0 + $1.count(differenceClass) }
    return ParityResult.Gate(
      name: "strict \(name)", holds: count == 0,
      message: count == 0
        ? "no field is \(name)"
        : "\(Self.words(count, "field")) of \(Self.words(paths.count, "path")) \(count == 1 ? "is" : "are") \(name)")
  }

  private func gate(_ baseline: Baseline, _ result: ParityResult) -> ParityResult.Gate {
    let new = result.differences.filter { $0.known == nil }
    let grown = result.differences.filter(\.isGrown)
    let known = result.differences.count - new.count
    var parts = ["\(Self.words(known, "difference")) known in \(baseline.name)"]
    let accepted = result.missing.kinds.reduce(0) { $0 + $1.accepted }
    if accepted > 0 { parts.append("\(Self.words(accepted, "missing event")) known") }
    if !new.isEmpty { parts.append("\(new.count) new: \(Self.names(new) { "\($0.count)" })") }
    if !grown.isEmpty {
      parts.append("\(grown.count) grown: \(Self.names(grown) { "\($0.count), \($0.known?.atMost ?? 0) accepted" })")
    }
    return ParityResult.Gate(
      name: "baseline", holds: new.isEmpty && grown.isEmpty, message: parts.joined(separator: "; "))
  }

  private static func names(
    _ differences: [ParityResult.FoundDifference], _ count: (ParityResult.FoundDifference) -> String
  ) -> String {
    let shown = differences.prefix(5).map {
      "\($0.words): \(count($0))"
    }
    let more = differences.count > 5 ? " and \(differences.count - 5) more" : ""
    return shown.joined(separator: ", ") + more
  }

  private func gate(_ agreement: AgreementGate, _ result: ParityResult) -> ParityResult.Gate {
    let (agreeing, all) = counts(agreement, result)
    let name = ["minAgreement", agreement.path, agreement.share].compactMap(\.self).joined(separator: " ")
    let about = agreement.path.map { $0 == KnownDifference.entitlement ? "access" : $0 } ?? "all fields"
    let missing = all == 0
    return ParityResult.Gate(
      name: name, holds: !missing && agreement.holds(agreeing: agreeing, of: all),
      message: missing
        ? "no pair has data about \(about)" + hint(about, result)
        : "\(agreeing) of \(Self.words(all, "pair")) agree on \(about); \(agreement.share) must")
  }

  /// The path of nearly the same letters, where that of a gate was mistyped.
  private func hint(_ path: String, _ result: ParityResult) -> String {
    let paths = result.fields.map(\.path) + [KnownDifference.entitlement]
    guard !paths.contains(path), let nearest = Suggestion.closest(to: path, among: paths) else { return "" }
    return "; did you mean \(nearest)?"
  }

  /// Pairs that agree, of all with data about it; what a baseline accepts agrees.
  private func counts(_ agreement: AgreementGate, _ result: ParityResult) -> (agreeing: Int, all: Int) {
    guard let path = agreement.path else {
      return (result.pairs.compared - result.failingPairs, result.pairs.compared)
    }
    if path == KnownDifference.entitlement {
      let access = result.entitlement
      let all = access.granted + access.denied + access.timeDependent + access.conflicts
      return (all - (access.conflicts - access.accepted) - access.endingApart, all)
    }
    guard let field = result.fields.first(where: { $0.path == path }) else { return (0, 0) }
    let accepted = result.differences.filter { $0.path == path && $0.known != nil && $0.isConflict }
    return (
      field.pairs - field.count(.conflict) + accepted.reduce(0) { $0 + min($1.count, $1.known?.atMost ?? $1.count) },
      field.pairs
    )
  }

  // MARK: notes

  private func notes(_ baseline: Baseline, _ result: ParityResult) -> [Comparison.Note] {
    let found = Set(result.differences.map(\.identity))
    let expired = baseline.differences.filter { $0.isExpired(at: baseline.now) }
    let outdated = baseline.differences.count { $0.kind == nil }
    let gone = baseline.differences.filter {
      $0.kind != nil && !$0.isExpired(at: baseline.now) && !found.contains($0.identity)
    }
    var notes = eventNotes(baseline, result)
    if outdated > 0 { notes.append(Self.outdated(baseline, outdated)) }
    if !expired.isEmpty {
      let until = expired.compactMap(\.until).max() ?? "?"
      notes.append(
        Comparison.Note(
          code: "baselineExpired", isWarning: true,
          message: "\(baseline.name): \(Self.words(expired.count, "difference")) counted no longer than \(until): "
            + Self.names(expired)))
    }
    if !gone.isEmpty {
      notes.append(
        Comparison.Note(
          code: "baselineVanished", isWarning: true,
          message:
            "\(baseline.name): \(Self.words(gone.count, "difference")) no longer found, which can be removed "
            + "(baseline record --force keeps the reasons of the others): \(Self.names(gone))"))
    }
    return notes
  }

  /// Single missing events that are no longer missing, or accepted no longer.
  private func eventNotes(_ baseline: Baseline, _ result: ParityResult) -> [Comparison.Note] {
    let expired = baseline.events.filter { $0.isExpired(at: baseline.now) }
    var found = result.missing.known
    let gone = baseline.events.filter { event in
      guard !event.isExpired(at: baseline.now) else { return false }
      let rest = found[event] ?? 0
      found[event] = rest - 1
      return rest <= 0
    }
    return [
      (expired, "baselineExpired", "counted no longer than their last day"),
      (gone, "baselineVanished", "no longer missing, which can be removed"),
    ].compactMap { events, code, words in
      guard !events.isEmpty else { return nil }
      let shown = events.prefix(3).map(\.words).joined(separator: ", ")
      let more = events.count > 3 ? " and \(events.count - 3) more" : ""
      return Comparison.Note(
        code: code, isWarning: true,
        message: "\(baseline.name): \(Self.words(events.count, "missing event")) \(words): \(shown)\(more)")
    }
  }

  /// An older version wrote the file: it does not say in which direction the sides may differ.
  private static func outdated(_ baseline: Baseline, _ count: Int) -> Comparison.Note {
    Comparison.Note(
      code: "baselineOutdated", isWarning: true,
      message:
        "\(baseline.name): \(words(count, "difference")) without a \"kind\", written by an older version of slipcast, "
        + "\(count == 1 ? "accepts" : "accept") nothing, because the direction is unknown; slipcast baseline record --force "
        + "rewrites the file and keeps the reasons and last days")
  }

  private static func names(_ differences: [KnownDifference]) -> String {
    let shown = differences.prefix(3).map { known in
      let kind = known.kind.map { " (\($0.words))" } ?? ""
      return "\(known.path) \(known.differenceClass)\(kind) in \(known.legacy) → \(known.server)"
    }
    return shown.joined(separator: ", ") + (differences.count > 3 ? " and \(differences.count - 3) more" : "")
  }

  static func words(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension ParityResult.FoundDifference {
  var identity: KnownDifference.Identity {
    KnownDifference.Identity(
      path: path, differenceClass: differenceClass, kind: kind, legacy: legacy, server: server)
  }

  fileprivate var isConflict: Bool { differenceClass == DifferenceClass.conflict.rawValue }
}
