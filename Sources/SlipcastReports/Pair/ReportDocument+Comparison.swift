import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ReportDocument {
  /// Which fields of a comparison a report contains; the others are only counted.
  enum FieldChoice {
    case all
    /// Those of which there is more to say than their class.
    case needingALook
    /// So many of each class.
    case upTo(Int)
  }

  init(_ comparison: Comparison, _ choice: FieldChoice, hasCases: Bool = false) {
    self.init(
      command: "slipcast diff", subject: "A V1 record and its V2 counterpart", title: comparison.verdict.title,
      tone: comparison.verdict.tone, sentence: comparison.sentence)
    summary = comparison.countWords
    sides = comparison.sides
    opensWithSides = true
    notes = comparison.notes.map(\.shown)
    sections = [ReportSection(id: "fields", title: "Fields", blocks: [.fields(comparison.groups(choice))])]
    origin = comparison.origin?.facts(labels: comparison.labels) ?? []
    closing = comparison.origin.map { $0.options.closing(made: $0.made) } ?? ""
    if let inputs = inputs(.detail) { sections.append(inputs) }
    if hasCases { cases = comparison.fields.map { ReportCase($0, of: comparison) } }
    hint = "--verbose lists every field with its rule and sources; slipcast explain RULE shows details"
  }
}

extension Comparison {
  /// What the two records are called.
  var labels: [String] { isFromVersion1 ? ["V1", "V2"] : ["first", "second"] }

  /// The two records.
  fileprivate var sides: [ReportFact] {
    zip(labels, [legacy, server]).map { label, side in
      ReportFact(label: label, name: side.name.safe, about: side.description.safe)
    }
  }

  /// The fields by class, the most serious first; classes without fields are left out.
  fileprivate func groups(_ choice: ReportDocument.FieldChoice) -> ReportFields {
    let places = Dictionary(grouping: fields.indices) { fields.facts($0).differenceClass }
    let groups = DifferenceClass.allCases.compactMap { differenceClass -> ReportGroup? in
      guard let places = places[differenceClass] else { return nil }
      let shown =
        switch choice {
        case .all: places
        case .needingALook: places.filter { needsLook(fields.facts($0)) }
        case .upTo(let most): Array(places.prefix(most))
        }
      return ReportGroup(
        differenceClass: differenceClass, count: places.count, rows: shown.map { ReportRow(fields[$0], of: self) })
    }
    return ReportFields(groups: groups)
  }

  /// The verdict in a few words: `2 of 41 fields fail`.
  fileprivate var sentence: String {
    let failing = fields.facts.filter { fails($0) }
    if fields.isEmpty { return "neither side has a field" }
    guard !failing.isEmpty else { return "\(Words.count(fields.count, "field")), none fails" }
    let strict = Set(failing.map(\.differenceClass)).subtracting([.conflict]).sorted().map(\.rawValue)
    let why = strict.isEmpty ? "" : ", by --strict \(strict.joined(separator: " and "))"
    let verb = failing.count == 1 ? "fails" : "fail"
    return "\(failing.count.grouped) of \(Words.count(fields.count, "field")) \(verb)\(why)"
  }

  /// Number of fields per class, without the classes that have none: `2 conflict (1 ignored), 17 representation`.
  var countWords: String {
    let (counts, unreadable) = (counts, unreadableCount)
    let ignored = ignoredCount == 0 ? [] : fields.facts.filter(\.isIgnored).map(\.differenceClass)
    return DifferenceClass.allCases.filter { counts[$0, default: 0] > 0 }.map { differenceClass in
      let ignored = ignored.count { $0 == differenceClass }
      let words = "\(counts[differenceClass, default: 0].grouped) \(differenceClass.rawValue)"
      let remarks = [
        differenceClass == .conflict && unreadable > 0 ? "\(unreadable.grouped) unreadable in V1" : "",
        ignored > 0 ? "\(ignored.grouped) ignored" : "",
      ].listed
      return remarks.isEmpty ? words : "\(words) (\(remarks))"
    }.listed
  }
}

extension ReportCase {
  /// A field as a test case.
  fileprivate init(_ field: FieldDifference, of comparison: Comparison) {
    self.init(name: field.path.safe, kind: field.differenceClass.rawValue, outcome: .passed(field.explanation.safe))
    if let ignored = field.ignored {
      outcome = .skipped("ignored: \(ignored.reason)".safe)
    } else if comparison.fails(field) {
      let row = ReportRow(field, of: comparison)
      let group = ReportGroup(differenceClass: field.differenceClass, count: 0, rows: [row])
      let meaning = field.explanation.isEmpty ? field.differenceClass.meaning : field.explanation.safe
      outcome = .failed(
        message: meaning, type: kind, details: [.fields(ReportFields(groups: [group], kind: .plain))])
    }
  }
}
