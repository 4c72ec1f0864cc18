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
      summary: Words.count(failing.count, "kind of failing difference", "kinds of failing differences"),
      about:
        "First what many of them have in common. The table lists them by path, class, direction, V1 message and V2 "
        + "event, as a baseline does.",
      blocks: (causeItems.isEmpty ? [] : [.titled("Causes", summary: "", [.items(causeItems)] + shiftCharts)])
        + [
          .titled(
            "Differences", summary: "", [.folded("All failing differences", brief: brief + more, [.table(table)])])
        ])
  }

  /// How far dates lie apart, where they fail.
  private var shiftCharts: [ReportBlock] {
    shifts.prefix(Self.mostCharts).map { shift in
      let all = shift.counts.reduce(0, +)
      return .periods(
        ReportPeriods(
          panels: [
            .init(title: "\(shift.path): how far V2's date is from V1's".safe, numbers: shift.counts)
          ],
          unit: "Difference", spans: DateShifts.names, first: "V2 earlier", last: "V2 later",
          whole: Words.count(all, "failing pair")))
    }
  }

  private static let mostCharts = 8

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
    return "\(Words.count(found.customers, "customer")) at the end of the common time"
  }

  private func records(_ found: FoundDifference) -> String {
    let shown = found.pairs.prefix(3).map { Self.records($0.legacyRecord, $0.serverRecord, $0.subject) }
    let rest = found.count - shown.count
    return shown.joined(separator: "; ") + (rest > 0 && !shown.isEmpty ? "; \(rest.grouped) more" : "")
  }
}

extension DateShifts {
  /// The spans of `counts` in words: `1 h to 6 h earlier`.
  static var names: [String] {
    let words = limits.map { Words.duration($0.magnitude) }
    let lengths = words.indices.map { $0 == 0 ? "up to \(words[0])" : "\(words[$0 - 1]) to \(words[$0])" }
    let all = lengths + ["more than \(words[words.count - 1])"]
    return all.reversed().map { "\($0) earlier" } + all.map { "\($0) later" }
  }
}
