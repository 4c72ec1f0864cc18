import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// Every difference that makes a gate fail, with a link to a pair that has it; none is left out.
  var differenceSection: ReportSection? {
    let failing = differences.filter(\.fails)
    let gates: Set = ["conflicts", "baseline", "strict", "minAgreement", "access"]
    guard !failing.isEmpty, failingGates.contains(where: { gates.contains($0.word) }) else { return nil }
    let table = ReportTable(
      caption: "Differences that no baseline accepts",
      columns: [.number("pairs"), .name("difference")],
      rows: failing.map { [.number($0.count.grouped), cell($0)] })
    let brief = failing.prefix(5).map { ReportItem(lead: .count($0.count), name: $0.words.safe, isCode: true) }
    let rest = failing.count - brief.count
    let more = rest > 0 ? [ReportItem(words: "\(rest.grouped) more; --verbose, HTML and JSON list all")] : []
    return ReportSection(
      id: "differences", title: "Failing differences",
      summary: Words.count(failing.count, "kind of difference", "kinds of differences"),
      about: "First what many of them have in common. The table lists them by path, class, direction, V1 message and V2 "
        + "event, as a baseline does.",
      blocks: [.titled("Causes", summary: Words.count(causeItems.count, "cause"), [.items(causeItems)])]
        + [.folded("All failing differences", brief: brief + more, [.table(table)])] + pairLists(failing))
  }

  /// All pairs of the differences that have more than one, where the run kept them; a link where one is shown in full.
  ///
  /// The run keeps them where a page or JSON is written: the other forms do not depend on that.
  private func pairLists(_ failing: [FoundDifference]) -> [ReportBlock] {
    failing.filter { $0.isListed && $0.pairs.count > 1 }.map { found in
      let rows: [[ReportTable.Cell]] = found.pairs.map { pair in
        let records = Self.records(pair.legacyRecord, pair.serverRecord)
        guard let number = pairNumber(pair.pair) else { return [.words(records)] }
        let differenceClass = DifferenceClass(rawValue: found.differenceClass) ?? .conflict
        return [.path(records, link: "pair-\(number)", remark: "", worst: differenceClass, fails: false)]
      }
      let all = Words.count(found.count, "pair")
      let title = "\(all): \(found.words.safe)"
      let rest = found.count - found.pairs.count
      let more = rest > 0 ? [ReportItem(words: "\(rest.grouped) more; the JSON form lists all")] : []
      let table = ReportTable(caption: title, columns: [.name("pair")], rows: rows)
      return .page(title, [.table(table)] + (more.isEmpty ? [] : [.items(more)]))
    }
  }

  private func cell(_ found: FoundDifference) -> ReportTable.Cell {
    let grown = found.isGrown ? "grown, \((found.known?.atMost ?? 0).grouped) accepted" : ""
    let state = [grown, customers(found), records(found)].filter { !$0.isEmpty }.joined(separator: "; ")
    guard let number = found.pairs.lazy.compactMap({ pairNumber($0.pair) }).first else {
      return .words([found.words.safe, state].filter { !$0.isEmpty }.joined(separator: "; "))
    }
    let differenceClass = DifferenceClass(rawValue: found.differenceClass) ?? .conflict
    return .path(found.words.safe, link: "pair-\(number)", remark: state, worst: differenceClass, fails: false)
  }

  /// The customers that the gate of access counts.
  private func customers(_ found: FoundDifference) -> String {
    guard found.path == KnownDifference.entitlement, access != nil else { return "" }
    return "\(Words.count(found.customers, "customer")) at the last known state"
  }

  private func records(_ found: FoundDifference) -> String {
    let shown = found.pairs.prefix(3).map { Self.records($0.legacyRecord, $0.serverRecord) }
    let rest = found.count - shown.count
    return shown.joined(separator: "; ") + (rest > 0 && !shown.isEmpty ? "; \(rest.grouped) more" : "")
  }
}
