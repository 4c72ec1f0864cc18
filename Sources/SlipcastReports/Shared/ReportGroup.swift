import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastWire

/// The fields of one class.
struct ReportGroup {
  let differenceClass: DifferenceClass
  /// The places of the fields in the comparison.
  let places: [Int]
  fileprivate let comparison: Comparison

  /// All rows.
  var rows: [ReportRow] { places.map(row) }

  /// The row of one of the fields.
  func row(_ place: Int) -> ReportRow { ReportRow(comparison.fields[place], of: comparison) }

  /// What is known of one of the fields.
  func facts(_ place: Int) -> FieldDifferences.Facts { comparison.fields.facts(place) }

  /// The field counts against parity.
  func fails(_ place: Int) -> Bool { comparison.fails(facts(place)) }
}

extension Comparison {
  /// The fields by class, the most serious first; classes without fields are left out.
  var groups: [ReportGroup] {
    DifferenceClass.allCases.map { differenceClass in
      let places = fields.indices.filter { fields.facts($0).differenceClass == differenceClass }
      return ReportGroup(differenceClass: differenceClass, places: places, comparison: self)
    }.filter { !$0.places.isEmpty }
  }

  /// The verdict in a few words: `2 of 41 fields fail`.
  var verdictWords: String {
    let failing = fields.facts.count { fails($0) }
    if fields.isEmpty { return "neither side has a field" }
    if failing > 0 {
      let strict = Set(fields.facts.filter { fails($0) }.map(\.differenceClass)).subtracting([.conflict]).sorted().map(
        \.rawValue)
      let why = strict.isEmpty ? "" : ", by --strict \(strict.joined(separator: " and "))"
      return "\(failing) of \(Self.words(fields.count)) \(failing == 1 ? "fails" : "fail")\(why)"
    }
    return "\(Self.words(fields.count)), none fails"
  }

  /// Number of fields per class, without the classes that have none: `2 conflict (1 ignored), 17 representation`.
  var countWords: String {
    let (counts, unreadable) = (counts, unreadableCount)
    let ignored = ignoredCount == 0 ? [] : fields.facts.filter(\.isIgnored).map(\.differenceClass)
    let classes = DifferenceClass.allCases.filter { counts[$0, default: 0] > 0 }
    return classes.map { differenceClass in
      let ignored = ignored.count { $0 == differenceClass }
      let words = "\(counts[differenceClass, default: 0]) \(differenceClass.rawValue)"
      let remarks = [
        differenceClass == .conflict && unreadable > 0 ? "\(unreadable) unreadable in V1" : nil,
        ignored > 0 ? "\(ignored) ignored" : nil,
      ].compactMap(\.self)
      return remarks.isEmpty ? words : "\(words) (\(remarks.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  /// What the two records are called.
  var labels: [String] { isFromVersion1 ? ["V1", "V2"] : ["first", "second"] }

  /// A number of fields in words.
  static func words(_ count: Int) -> String { count == 1 ? "1 field" : "\(count) fields" }
}

extension Comparison.Verdict {
  /// The verdict as a heading: `Conflict` or `Parity`.
  var title: String { self == .conflict ? "Conflict" : "Parity" }
  /// A sign beside the heading, which says the same.
  var mark: String { self == .conflict ? "✕" : "✓" }
  /// The sign for a place that knows no colours.
  var coloredMark: String { self == .conflict ? "❌" : "✅" }
}

extension Comparison.Side {
  /// The name, safe to print.
  var shownName: String { SafeText.words(name) }
  /// What it is, safe to print.
  var shownDescription: String { SafeText.words(description) }
}

extension Comparison.Note {
  /// The message, safe to print.
  var shownMessage: String { SafeText.words(message) }
  /// `warning` or `info`.
  var severity: String { isWarning ? "warning" : "info" }
}
