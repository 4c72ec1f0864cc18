import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// The verdict in one sentence, with everything that fails or is accepted: `99.93% of 29,913 events agree, 19 conflict;
  /// 15 V1 events have no V2 notification (5 REFUND, 10 DID_RENEW)`.
  ///
  /// Events are those that are present in both archives.
  var sentence: String {
    ([eventWords, lossWords(.legacy), lossWords(.server)] + customerWords + [rejectWords, causeWords, gateWords])
      .filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private var eventWords: String {
    let (all, conflicting) = (pairs.compared, pairs.conflicting)
    if all == 0 { return "no event is present in both archives" }
    let dates = fields.reduce(0) { $0 + $1.tolerated }
    let tolerated = dates > 0 ? ", \(Words.count(dates, "date")) within a tolerance" : ""
    if conflicting == 0 { return (all == 1 ? "the only event agrees" : "all \(all.grouped) events agree") + tolerated }
    let conflict = "\(conflicting.grouped) \(conflicting == 1 ? "conflicts" : "conflict")"
    let isAllowed = !["conflicts", "baseline", "minAgreement"].contains(where: fails)
    let accepted = isAllowed ? conflicting : conflicting - failingPairs
    let known = accepted > 0 ? " (\(accepted == conflicting ? "" : "\(accepted.grouped) ")accepted)" : ""
    return
      "\(Words.percent(pairs.matched, of: all)) of \(Words.count(all, "event")) agree, \(conflict)\(known)\(tolerated)"
  }

  /// `2 V1 events have no V2 notification (2 DID_RENEW, accepted)`.
  private func lossWords(_ side: MissingEvent.Side) -> String {
    let kinds = missing.kinds(side)
    let count = kinds.reduce(0) { $0 + $1.count }
    guard count > 0 else { return "" }
    let verb = count == 1 ? "has" : "have"
    let words =
      side == .legacy
      ? "\(Words.count(count, "V1 event")) \(verb) no V2 \(isOfNotifications ? "notification" : "counterpart")"
      : "\(Words.count(count, isOfNotifications ? "V2 notification" : "V2 record")) \(verb) no V1 event"
    let shown = kinds.prefix(Self.mostTypesInWords)
    let rest = kinds.dropFirst(Self.mostTypesInWords).reduce(0) { $0 + $1.count }
    let types =
      shown.map { "\($0.count.grouped) \($0.type.safe)" } + (rest > 0 ? ["\(rest.grouped) of other types"] : [])
    return "\(words) (\((types + acceptedWords(kinds)).joined(separator: ", ")))"
  }

  private static let mostTypesInWords = 8

  private var isOfNotifications: Bool {
    types.first { $0.server == "transaction" || $0.server == "subscription" } == nil
  }

  /// What lets missing events pass: a baseline, or an option.
  private func acceptedWords(_ kinds: [MissingEvents.Kind]) -> [String] {
    let accepted = kinds.reduce(0) { $0 + $1.accepted }
    let fails = kinds.contains { kind in
      kind.accepted < kind.count && failingGates.contains { $0.word == (kind.isRefund ? "missingRefunds" : "missing") }
    }
    if !fails { return pairs.compared == 0 ? [] : ["accepted"] }
    return accepted > 0 ? ["\(accepted.grouped) accepted"] : []
  }

  private var customerWords: [String] {
    var parts: [String] = []
    let changes = access.map { ($0.lockedOut, $0.servedForFree) } ?? (entitlement.legacyOnly, entitlement.serverOnly)
    let noun = access == nil ? "pair" : "customer"
    let mark = fails("access") ? "" : " (accepted)"
    let access = [
      changes.0 > 0 ? "\(Words.count(changes.0, noun)) locked out" : "",
      changes.1 > 0 ? "\(Words.count(changes.1, noun)) served for free" : "",
    ].listed
    if !access.isEmpty { parts.append(access + mark) }
    if let count = self.access?.endChanges, count > 0 {
      let mark = fails("endChanges") ? "" : " (accepted)"
      parts.append("access ends at another time for \(Words.count(count, "customer"))\(mark)")
    }
    return parts
  }

  private var rejectWords: String {
    let count = pairs.rejected.legacy + pairs.rejected.server
    guard count > 0 else { return "" }
    return "\(Words.count(count, "record")) could not be read" + (fails("maxRejects") ? "" : " (accepted)")
  }

  /// What most failing pairs have in common: `most: data.transactionInfo.expiresDate 7 h earlier in V2 (18 pairs)`.
  private var causeWords: String {
    guard !failingGates.isEmpty, let cause = causes.first else { return "" }
    let path = cause.path.safe
    let words =
      switch cause.kind {
      case .shifted:
        "\(path) \(Words.duration((cause.by ?? 0).magnitude)) \((cause.by ?? 0) < 0 ? "earlier" : "later") in V2"
      case .recoded: "\(path) \(cause.from?.json ?? "") in V1, \(cause.to?.json ?? "") in V2".safe
      case .absentInV2: "\(path) absent in V2"
      case .absentInV1: "\(path) absent in V1"
      case .other: "\(path) differs"
      }
    return "\(causes.count == 1 ? "cause" : "largest cause"): \(words) (\(Words.count(cause.pairs, "pair")))"
  }

  /// The failing gates that the other parts do not explain.
  private var gateWords: String {
    var told: Set = ["conflicts", "maxRejects", "endChanges"]
    if accessChanges > 0 { told.insert("access") }
    if missing.kinds.contains(where: { !$0.isRefund }) { told.insert("missing") }
    if missing.kinds.contains(where: \.isRefund) { told.insert("missingRefunds") }
    if pairs.compared == 0 { told.insert("compared") }
    let names = failingGates.filter { !told.contains($0.word) }.map(\.name.safe)
    guard !names.isEmpty else { return "" }
    return "\(names.count == 1 ? "gate" : "gates") failed: \(names.listed)"
  }

  private func fails(_ gate: String) -> Bool { failingGates.contains { $0.word == gate } }
}
