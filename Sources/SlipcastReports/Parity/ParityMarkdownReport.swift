import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form for a comment on a pull request: the findings in view, everything else unfolds.
struct ParityMarkdownReport {
  private typealias Text = MarkdownText
  /// A comment holds 65,536 characters.
  private static let mostRows = 40

  let result: ParityResult

  var text: String {
    TextLayout.blocks([
      [heading], sides, access, gates, fieldTable, accessSamples, types, balance, restOfFields, samples, unpaired,
      ambiguous, losses, result.notes.map(Text.note), result.originWords.map(Text.origin) ?? [],
    ])
  }

  private var heading: String {
    "## \(result.verdict.coloredMark) \(result.verdict.title): \(result.verdictWords)"
  }

  private var sides: [String] {
    zip(["V1", "V2"], [result.legacy, result.server]).map { label, archive in
      "- \(label) \(Text.code(archive.shownName)): \(archive.about)"
    }
  }

  private var access: [String] {
    let access = ParityAccess(parity: result.entitlement)
    let others = access.others.filter { $0.count > 0 }.map { "\($0.count.grouped) \($0.title)" }.joined(separator: ", ")
    guard access.hasConflicts else {
      return ["**Access:** \(access.headline)\(others.isEmpty ? "" : " (\(others))")."]
    }
    let accepted = result.accessFails ? "" : " (accepted)"
    return ["### 🔒 Access: \(access.headline)\(accepted)", ""]
      + access.conflicts.map { "- **\($0.count.grouped) \($0.title)**: \($0.meaning)" }
      + [others, access.accepted ?? "", access.time].filter { !$0.isEmpty }.map { "- \($0)" }
  }

  private var accessSamples: [String] {
    let samples = result.entitlement.samples
    guard !samples.isEmpty else { return [] }
    let rows = samples.map {
      [
        $0.records, Text.prose($0.legacy.words), Text.prose($0.server.words), Words.moment($0.asOf),
        Text.prose($0.shownExplanation),
      ]
    }
    return Text.folded(
      Words.count(samples.count, "pair") + " with another access",
      Text.table(["pair", "V1 says", "V2 says", "as of", "meaning"], rows))
  }

  private var gates: [String] {
    return result.gates.map { gate in
      "- \(gate.holds ? "✅" : "❌") \(Text.code(gate.shownName)) \(gate.outcome): \(Text.prose(gate.shownMessage))"
    }
  }

  private var openFields: [ParityField] { result.shownFields.filter { $0.fails || $0.conflicts > 0 } }

  private var fieldTable: [String] {
    let open = openFields
    guard !open.isEmpty else { return [] }
    let rest = open.count - Self.mostRows
    return table(Array(open.prefix(Self.mostRows))) + (rest > 0 ? ["", "and \(rest.grouped) more"] : [])
  }

  private func table(_ fields: [ParityField]) -> [String] {
    let rows = fields.map { field in
      [
        Text.code(field.path) + (field.fails ? " **fails**" : ""), field.agreement,
        field.conflicts.grouped + (field.acceptedWords.map { " (\($0))" } ?? ""), field.pairs.grouped,
      ]
    }
    return Text.table(["path", "agreement", "conflicts", "pairs"], numbersFrom: 1, rows)
  }

  private var restOfFields: [String] {
    let rest = result.shownFields.filter { !$0.isLoss && !$0.fails && $0.conflicts == 0 }
    guard !rest.isEmpty else { return [] }
    let rows = rest.prefix(Self.mostRows).map { [Text.code($0.path), $0.pairs.grouped, $0.countWords] }
    return Text.folded(
      Words.count(rest.count, "path") + " without a conflict", Text.table(["path", "pairs", "classes"], rows))
  }

  private var samples: [String] {
    let samples = openFields.prefix(10).compactMap { field in
      field.samples.first.map { (field, $0) }
    }
    guard !samples.isEmpty else { return [] }
    let rows = samples.map { field, sample in
      [
        Text.code(field.path), sample.records, Text.value(sample.row.before, of: sample.row),
        Text.value(sample.row.v2, of: sample.row), sample.row.differenceClass.rawValue, Text.prose(sample.row.meaning),
      ]
    }
    return Text.folded(
      "A pair for each path in conflict",
      Text.table(["path", "pair", "V1", "V2", "class", "meaning"], rows))
  }

  private var types: [String] {
    let cells = result.typeConflicts
    guard !cells.isEmpty else { return [] }
    let rows = cells.prefix(Self.mostRows).map {
      [Text.code($0.shownLegacy), Text.code($0.shownServer), $0.typeConflicts.grouped, $0.count.grouped]
    }
    return Text.folded(
      Words.count(cells.count, "combination") + " of types in conflict",
      Text.table(["V1", "V2", "conflicts", "pairs"], numbersFrom: 2, rows))
  }

  private var balance: [String] {
    Text.folded(
      "What became of the records", Text.table(["", "V1", "V2"], numbersFrom: 1, ParityBalance(result.pairs).texts))
  }

  private var unpaired: [String] {
    guard !result.unpaired.isEmpty else { return [] }
    let rows = result.unpairedByReason.flatMap { reason, kinds in
      kinds.prefix(10).map { kind in
        [
          reason.title, Text.code(kind.shownEvent), kind.count.grouped, kind.recordWords(3),
          Text.prose(kind.shownExplanation),
        ]
      }
    }
    let count = result.unpaired.reduce(0) { $0 + $1.count }
    return Text.folded(
      Words.count(count, "event") + " that one side alone tells",
      Text.table(["what", "event", "number", "records", "meaning"], rows))
  }

  private var ambiguous: [String] {
    guard !result.ambiguous.isEmpty else { return [] }
    let rows = result.ambiguous.flatMap { kind in
      let open = [(kind.other, "something else"), (kind.undecided, "no V2 notification: still open")]
      return kind.readings.map {
        [Text.code(kind.shownLegacy), Text.code($0.shownEvent), $0.count.grouped, Text.prose($0.shownNeeds)]
      } + open.filter { $0.0 > 0 }.map { [Text.code(kind.shownLegacy), $0.1, $0.0.grouped, ""] }
    }
    return Text.folded(
      Words.count(result.ambiguous.count, "kind") + " of ambiguous V1 messages",
      Text.table(["V1", "V2 said", "pairs", "would be decided by"], rows))
  }

  private var losses: [String] {
    let fields = result.shownFields
    let losses = fields.filter(\.isLost).sorted { $0.number < $1.number }
    let rest = ParityResult.restWords(fields).map { [$0] } ?? []
    guard !losses.isEmpty else { return rest }
    let rows = losses.prefix(Self.mostRows).map { [Text.code($0.path), $0.pairs.grouped, Text.prose($0.reason ?? "")] }
    return Text.folded(
      Words.count(losses.count, "value") + " of V1 without a place in V2",
      Text.table(["V1 path", "pairs", "why"], rows) + (rest.isEmpty ? [] : [""] + rest))
  }
}
