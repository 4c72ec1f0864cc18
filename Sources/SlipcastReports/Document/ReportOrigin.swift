import SlipcastComparison
import SlipcastWire

extension ComparisonOrigin {
  /// Folders can have very many files: documents for people show the first ones.
  private static let mostSources = 20

  /// Inputs, options and rules.
  ///
  /// - Parameter labels: What the two sides are called.
  func facts(labels: [String]) -> [ReportFact] {
    let inputs = zip(labels, [legacy, server]).flatMap { label, sources in
      let rest = sources.count - Self.mostSources
      let more = ReportFact(label: label, name: "… and \(Words.count(rest, "more input"))")
      return sources.prefix(Self.mostSources).map { $0.fact(label) } + (rest > 0 ? [more] : [])
    }
    return inputs + [
      ReportFact(label: "options", name: options.words),
      ReportFact(label: "rules", name: "slipcast \(rules.version), rules \(rules.digest)".safe),
    ]
  }
}

extension [ComparisonOrigin.Option] {
  /// `--strict semantic --same-span`, or `none`.
  var words: String {
    let words = flatMap { option in
      option.values.isEmpty ? ["--\(option.name)"] : option.values.map { "--\(option.name) \($0)" }
    }
    return words.isEmpty ? "none" : words.joined(separator: " ").safe
  }

  /// What closes a report: when and with which options it was made, and where its words are explained.
  ///
  /// - Parameter made: milliseconds since 1970 UTC; empty words for `nil`.
  package func closing(made: Int64?) -> String {
    guard let made else { return "" }
    return "Made \(Words.moment(made)) by slipcast \(Release.version); options: \(words). "
      + "Words: slipcast explain glossary"
  }
}

extension ComparisonOrigin.Source {
  /// `90 records, 2025-01-09 to 2025-06-14, 161,471 bytes, SHA-256 1e75…`.
  fileprivate func fact(_ label: String) -> ReportFact {
    let about = [
      Words.count(records, "record"), span.map(Words.days) ?? "", bytes.map { Words.count($0, "byte") } ?? "",
      sha256.map { "SHA-256 \($0)" } ?? "",
    ]
    return ReportFact(label: label, name: name.safe, about: about.listed)
  }
}

extension Comparison.Note {
  /// The note as forms show it.
  var shown: ReportNote { ReportNote(isWarning: isWarning, message: message.safe) }
  /// `warning` or `info`.
  var severity: String { isWarning ? "warning" : "info" }
}

extension Comparison.Verdict {
  var title: String { self == .conflict ? "Conflict" : "Parity" }
  var tone: ReportTone { self == .conflict ? .bad : .good }
}
