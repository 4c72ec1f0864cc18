import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form for a terminal.
struct ParityTextReport {
  /// As many as a person reads; `--verbose` has all.
  private static let fewRows = 12
  private static let mostRows = 40

  let result: ParityResult
  private let ink: Ink
  private let isVerbose: Bool

  init(result: ParityResult, style: ReportStyle) {
    self.result = result
    ink = Ink(isColored: style.isColored)
    isVerbose = style.isVerbose
  }

  var text: String {
    let access = ParityAccessText(
      access: ParityAccess(parity: result.entitlement), fails: result.accessFails, ink: ink, isVerbose: isVerbose)
    let parts =
      [verdict] + access.blocks + [gates, balance] + fields + [types] + unpaired + ambiguous + [losses, notes, origin]
    let hint = ink.dim("--verbose lists every field and all samples; the HTML form shows sampled pairs in full")
    return TextLayout.blocks(parts + (isVerbose ? [] : [[hint]]))
  }

  private var verdict: [String] {
    let names = [result.legacy.shownName, result.server.shownName]
    let width = names.map(\.count).max() ?? 0
    let sides = zip(["V1", "V2"], [result.legacy, result.server]).map { label, archive in
      "  \(label)  \(ink.bold(TextLayout.padded(archive.shownName, to: width)))  \(archive.about)"
    }
    return ["\(ink.title(of: result.verdict))  \(result.verdictWords)"] + sides
  }

  private var gates: [String] {
    let failing = result.failingGates.count
    let title = failing == 0 ? "all hold" : "\(failing) of \(result.gates.count) \(failing == 1 ? "fails" : "fail")"
    return [heading("gates", title)]
      + result.gates.flatMap { gate in
        let mark = gate.holds ? "  holds  " : "  FAILS  "
        let lines = TextLayout.wrapped("\(gate.shownName): \(gate.shownMessage)", after: mark)
        return gate.holds ? lines : lines.map(ink.red)
      }
  }

  private var balance: [String] {
    let balance = ParityBalance(result.pairs)
    let width = balance.rows.map(\.title.count).max() ?? 0
    let rows = balance.texts.map { cells in
      "  " + TextLayout.padded(cells[0], to: width)
        + cells.dropFirst().map { TextLayout.aligned($0, to: 15) }.joined()
    }
    let head = TextLayout.padded("records", to: width + 2)
    let columns = ["V1", "V2"].map { TextLayout.aligned($0, to: 15) }.joined()
    return [ink.bold(head) + columns] + rows.dropLast() + rows.suffix(1).map(ink.bold)
  }

  private var fields: [[String]] {
    let fields = result.shownFields.filter { !$0.isLoss || $0.conflicts > 0 }
    guard !fields.isEmpty else { return [] }
    let open = fields.filter { $0.fails || $0.conflicts > 0 }
    let shown = isVerbose ? fields : open
    let title = open.isEmpty ? "none in conflict" : "\(open.count.grouped) in conflict"
    let most = isVerbose ? shown.count : Self.mostRows
    let table = ParityFieldText.table(Array(shown.prefix(most)), ink) + more(shown.count - most)
    let rest = fields.filter { field in !shown.contains { $0.number == field.number } }
    let samples = shown.map { ParityFieldText(field: $0, ink: ink, isVerbose: isVerbose).samples }
    return [[heading("fields", "\(Words.count(fields.count, "path")) of V2, \(title)")] + table + collapsed(rest)]
      + (isVerbose ? samples : Array(samples.prefix(Self.fewRows)))
  }

  /// A line for each class of the fields that need no look.
  private func collapsed(_ fields: [ParityField]) -> [String] {
    guard !fields.isEmpty else { return [] }
    let counts = ParityResult.counts(fields)
    let classes = DifferenceClass.allCases.filter { counts[$0, default: 0] > 0 }
    return [Self.number(fields.count, "without a conflict, by their most serious class")]
      + classes.map { name in
        let title = ink.heading(TextLayout.padded(name.rawValue, to: 14), as: name)
        return Self.number(counts[name, default: 0], "\(title)  \(name.meaning)")
      }
  }

  private var types: [String] {
    let cells = result.typeConflicts
    guard !cells.isEmpty else { return [] }
    let shown = isVerbose ? cells : Array(cells.prefix(Self.fewRows))
    let rows = shown.flatMap { cell in
      [
        "  " + TextLayout.aligned(cell.typeConflicts.grouped, to: 11) + "  V1 " + ink.bold(cell.shownLegacy),
        "               V2 " + ink.bold(cell.shownServer) + ink.dim(", of \(Words.count(cell.count, "pair"))"),
      ]
    }
    let title = "\(Words.count(cells.count, "combination")) of types \(cells.count == 1 ? "is" : "are") in conflict"
    return [heading("types", title)] + rows + more(cells.count - shown.count)
  }

  private var unpaired: [[String]] {
    result.unpairedByReason.filter { isVerbose || $0.reason.isOpen }.map { reason, kinds in
      let shown = isVerbose ? kinds : Array(kinds.prefix(Self.fewRows))
      let count = kinds.reduce(0) { $0 + $1.count }
      return [heading(reason.title, count.grouped)] + shown.flatMap(lines) + more(kinds.count - shown.count)
    }
  }

  private func lines(_ kind: ParityResult.UnpairedKind) -> [String] {
    let records = isVerbose ? kind.recordWords(20) : kind.recordWords(3)
    let words = [kind.shownExplanation, records.isEmpty ? "" : "(\(records))"].filter { !$0.isEmpty }
    return ["  " + TextLayout.aligned(kind.count.grouped, to: 11) + "  " + ink.bold(kind.shownEvent)]
      + TextLayout.wrapped(words.joined(separator: " "), after: Self.indent)
  }

  private var ambiguous: [[String]] {
    guard !result.ambiguous.isEmpty else { return [] }
    let title = heading("ambiguous", "V1 messages that leave more than one reading, and what V2 said they were")
    let kinds = result.ambiguous.map { kind in
      let rows = kind.readings.flatMap { reading in
        [Self.number(reading.count, reading.shownEvent)]
          + TextLayout.wrapped("decided by: \(reading.shownNeeds)", after: Self.indent)
      }
      let other = kind.other > 0 ? [Self.number(kind.other, "something else")] : []
      let open = kind.undecided > 0 ? [Self.number(kind.undecided, "without a V2 notification, so still open")] : []
      return ["  \(ink.bold(kind.shownLegacy))  " + ink.dim(kind.shownRule)] + rows + other + open
    }
    return [[title] + kinds[0]] + kinds.dropFirst()
  }

  private var losses: [String] {
    let fields = result.shownFields
    let losses = fields.filter(\.isLost).sorted { $0.number < $1.number }
    let rest = ParityResult.restWords(fields).map { TextLayout.wrapped($0, after: "  ") } ?? []
    guard !losses.isEmpty else { return rest }
    let title = heading("losses", "\(Words.count(losses.count, "value")) of V1 without a place in V2")
    guard isVerbose else {
      return [title] + TextLayout.wrapped(losses.map(\.path).joined(separator: ", "), after: "  ") + rest
    }
    return [title]
      + losses.flatMap { loss in
        [Self.number(loss.pairs, loss.path)] + TextLayout.wrapped(loss.reason ?? "", after: Self.indent)
      } + rest
  }

  private var notes: [String] { result.notes.flatMap { TextLayout.note($0, ink) } }

  private var origin: [String] {
    guard let words = result.originWords else { return [] }
    return [ink.bold("inputs")] + words.lines.map { "  " + $0 }
      + TextLayout.wrapped(words.options, after: "  options  ") + ["  rules    \(words.shortRules)"]
  }

  private static let indent = String(repeating: " ", count: 15)

  private static func number(_ count: Int, _ words: String) -> String {
    "  " + TextLayout.aligned(count.grouped, to: 11) + "  " + words
  }

  private func heading(_ name: String, _ words: String) -> String { "\(ink.bold(name))  \(words)" }

  private func more(_ count: Int) -> [String] { count > 0 ? ["  and \(count.grouped) more"] : [] }
}
