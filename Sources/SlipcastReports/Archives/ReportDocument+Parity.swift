import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ReportDocument {
  /// A browser becomes slow with more paths; records with unknown keys could bring any number.
  private static let mostFields = 1000

  init(_ result: ParityResult) {
    self.init(
      command: "slipcast parity", subject: "Two archives of one app, V1 and V2, compared event by event",
      title: result.verdict.title, tone: result.verdict.tone, sentence: result.sentence)
    sides = zip(["V1", "V2"], [result.legacy, result.server]).map { label, archive in
      let about = [Words.count(archive.records, "record"), archive.span.map(Words.days) ?? ""]
      return ReportFact(label: label, name: archive.name.safe, about: about.listed)
    }
    notes = result.notes.map(\.shown)
    figures = result.figures
    origin = result.origin?.facts(labels: ["V1", "V2"]) ?? []
    closing = result.origin.map { $0.options.closing(made: $0.made) } ?? ""
    let all = result.worstFields
    let fields = Array(all.prefix(Self.mostFields))
    sections = [
      result.accessSection, result.missingSection, result.unreadSection, result.findSection, result.gateSection,
      result.differenceSection, result.recordSection,
      result.agreementSection(fields, leftOut: all.count - fields.count), result.fieldSection(fields),
      result.typeSection, result.timeSection, result.appSection,
      result.unpairedSection, result.ambiguousSection, result.lossSection(fields), result.pairSection, inputs(.folded),
    ].compactMap(\.self)
    let inOrder = all.filter { $0.pairs > 0 }.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    cases =
      [result.accessCase] + [result.missingCase, result.unreadCase].compactMap(\.self)
      + result.gates.map(ReportCase.init)
      + inOrder.map(ReportCase.init)
    hint = "--verbose lists every field and all samples; the HTML form shows sampled pairs in full"
  }
}

extension ParityResult {
  /// The figures that a page shows first.
  fileprivate var figures: [ReportFigure] {
    let (changes, fields) = (accessChanges, fields.count { $0.count(.conflict) > 0 })
    let failing = failingGates.count
    var figures = [
      ReportFigure(
        number: changes.grouped,
        words: (access == nil ? "pair" : "customer") + (changes == 1 ? "" : "s") + " with a change of access",
        section: "access", tone: accessFails ? .bad : changes > 0 || entitlement.conflicts > 0 ? .caution : .good),
      ReportFigure(
        number: Words.percent(pairs.matched, of: pairs.compared), words: "of the events agree", section: "records",
        tone: pairs.compared == 0 ? .neutral : pairs.conflicting == 0 ? .good : .bad),
    ]
    if !self.fields.isEmpty {
      figures.append(
        ReportFigure(
          number: fields.grouped, words: fields == 1 ? "path in conflict" : "paths in conflict", section: "agreement",
          tone: fields == 0 ? .good : .bad))
    }
    let missing = MissingEvent.Side.allCases.reduce(0) { $0 + self.missing.count($1) }
    let words = missing == 1 ? "event without its counterpart" : "events without their counterpart"
    let section = missing > 0 ? "missing" : unpaired.isEmpty ? "records" : "unpaired"
    let hasOpenLoss = failingGates.contains { $0.word.hasPrefix("missing") }
    return figures + [
      ReportFigure(
        number: missing.grouped, words: words, section: section,
        tone: missing == 0 ? .good : hasOpenLoss ? .bad : .caution),
      ReportFigure(
        number: failing.grouped, words: failing == 1 ? "gate failed" : "gates failed", section: "gates",
        tone: failing == 0 ? .good : .bad),
    ]
  }
}

extension ReportCase {
  fileprivate init(_ gate: ParityResult.Gate) {
    let (name, message) = (gate.name.safe, gate.message.safe)
    let details = [ReportBlock.items([ReportItem(words: message)])]
    self.init(
      name: name, kind: "gate",
      outcome: gate.holds ? .passed(message) : .failed(message: message, type: "gate", details: details))
  }

  fileprivate init(_ row: ReportRow) {
    let words = [row.countWords, row.acceptedWords].filter { !$0.isEmpty }.joined(separator: "; ")
    self.init(name: row.path, kind: "field", outcome: .passed(words))
    if row.fails {
      let message = "\(row.agreement) of \(Words.count(row.pairs, "pair")) agree: \(words)"
      let group = ReportGroup(differenceClass: row.differenceClass, count: 1, rows: [row])
      let details = [ReportBlock.fields(ReportFields(groups: [group], kind: .samples))]
      outcome = .failed(message: message, type: row.differenceClass.rawValue, details: details)
    } else if row.accepted > 0, row.accepted == row.conflicts {
      outcome = .skipped("accepted by a baseline: \(words)")
    }
  }
}
