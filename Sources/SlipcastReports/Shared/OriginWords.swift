import SlipcastComparison
internal import SlipcastWire

/// What a comparison was made from, in texts that are safe to print, chosen once for all forms.
struct OriginWords {
  /// Folders can have very many files: documents for people show the first ones.
  private static let mostSources = 20

  let origin: ComparisonOrigin
  /// What the two sides are called.
  let labels: [String]

  /// The heads of `rows`.
  static let columns = ["side", "input", "records", "dates", "bytes", "SHA-256"]

  /// One row for each source.
  var rows: [[String]] {
    zip(labels, [origin.legacy, origin.server]).flatMap { label, sources in
      let rest = sources.count - Self.mostSources
      let more = [label, "… and \(Words.count(rest, "more input", "more inputs"))", "", "", "", ""]
      return sources.prefix(Self.mostSources).map { row(label, $0) } + (rest > 0 ? [more] : [])
    }
  }

  private func row(_ label: String, _ source: ComparisonOrigin.Source) -> [String] {
    [
      label, SafeText.words(source.name), source.records.grouped, source.dates, source.bytes?.grouped ?? "–",
      source.sha256 ?? "–",
    ]
  }

  /// The options as on the command line; `none` for none.
  var options: String {
    let words = origin.options.flatMap { option in
      option.values.isEmpty ? ["--\(option.name)"] : option.values.map { "--\(option.name) \($0)" }
    }
    return words.isEmpty ? "none" : SafeText.words(words.joined(separator: " "))
  }

  /// The version of the program and the digest of its rules.
  var rules: String { "slipcast \(SafeText.words(origin.rules.version)), rules \(origin.rules.digest)" }

  /// The same for a line on a terminal.
  var shortRules: String {
    "slipcast \(SafeText.words(origin.rules.version)), rules \(origin.rules.digest.prefix(Self.fewDigits))…"
  }

  private static let fewDigits = 12

  /// A line for each source, for a terminal.
  var lines: [String] {
    rows.map { row in
      let hash = row[5].count > Self.fewDigits ? "sha256 \(row[5].prefix(Self.fewDigits))…" : ""
      let records = row[2].isEmpty ? "" : row[2] == "1" ? "1 record" : "\(row[2]) records"
      return ([row[0], row[1], records, hash].filter { !$0.isEmpty }).joined(separator: "  ")
    }
  }

  /// What is known of a source beside its name: `90 records, 2025-01-09 to 2025-06-14, 161,471 bytes, SHA-256 1e75…`.
  static func facts(_ row: [String]) -> String {
    let units = [("", " records"), ("", ""), ("", " bytes"), ("SHA-256 ", "")]
    return zip(row.dropFirst(2), units).filter { !$0.0.isEmpty && $0.0 != "–" }.map { text, unit in
      unit.0 + text + (text == "1" ? String(unit.1.dropLast()) : unit.1)
    }.joined(separator: ", ")
  }

  /// Names and values, for a format that has a list of properties.
  var properties: [(name: String, value: String)] {
    let inputs = rows.enumerated().map { place, row in
      (name: "input.\(place + 1)", value: "\(row[0]) \(row[1]): \(Self.facts(row))")
    }
    return inputs + [(name: "options", value: options), (name: "rules", value: rules)]
  }
}

extension ComparisonOrigin.Source {
  /// `2021-11-02 to 2025-03-01`.
  fileprivate var dates: String {
    guard let span else { return "–" }
    let days = [Words.day(span.lowerBound), Words.day(span.upperBound)]
    return days[0] == days[1] ? days[0] : "\(days[0]) to \(days[1])"
  }
}

extension ParityResult {
  /// What the result was made from, in words.
  var originWords: OriginWords? { origin.map { OriginWords(origin: $0, labels: ["V1", "V2"]) } }
}

extension Comparison {
  /// What the comparison was made from, in words.
  var originWords: OriginWords? { origin.map { OriginWords(origin: $0, labels: labels) } }
}
