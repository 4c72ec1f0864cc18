/// A report as plain data.
///
/// Built once for each report; text, Markdown, HTML and JUnit are rendered from it. All texts are safe to print.
struct ReportDocument: Sendable {
  /// The command that made it: `slipcast diff`.
  var command: String
  /// What is reported: `A V1 record and its V2 counterpart`.
  var subject: String
  /// The outcome in one or two words: `Conflict`.
  var title: String
  var tone: ReportTone
  /// The outcome in one sentence without a full stop.
  var sentence: String
  /// More figures about the whole; empty for none.
  var summary = ""
  /// The two sides.
  var sides: [ReportFact] = []
  /// True where text shows the sides before the outcome.
  var opensWithSides = false
  var notes: [ReportNote] = []
  var figures: [ReportFigure] = []
  var sections: [ReportSection] = []
  var origin: [ReportFact] = []
  var cases: [ReportCase] = []
  /// When and with which options it was made; empty where that is not known.
  var closing = ""
  /// What a terminal shows at the end, unless it shows everything.
  var hint = ""

  /// The section about inputs, options and rules.
  func inputs(_ visibility: ReportSection.Visibility) -> ReportSection? {
    guard !origin.isEmpty else { return nil }
    return ReportSection(
      id: "inputs", title: "Inputs", summary: "sources, options and rules", visibility: visibility,
      blocks: [.facts(origin)])
  }

  /// What is compared: `v1.json and v2.json`.
  var name: String { sides.map(\.name).joined(separator: " and ") }
}

/// How good or bad something is; pages color it as the class of the raw value.
enum ReportTone: String, Sendable {
  case good = "parity"
  case bad = "conflict"
  case caution = "timeDependent"
  case neutral = "identical"
}

/// A label with a name and words about it: `V1`, `v1.json`, `version 1 notification`.
struct ReportFact: Sendable {
  var label: String
  var name: String
  var about = ""
}

struct ReportNote: Sendable {
  var isWarning: Bool
  var message: String
}

/// A figure with a link to the section that explains it.
struct ReportFigure: Sendable {
  var number: String
  var words: String
  var section: String
  var tone: ReportTone
}

struct ReportSection: Sendable {
  /// Where a section is shown.
  enum Visibility: Sendable {
    case always
    /// In all forms; Markdown unfolds it.
    case folded
    /// Like `folded`, but text shows it only with all details.
    case detail
    /// Only on a page.
    case page
  }

  /// One word, the target of links.
  var id: String
  var title: String
  /// One sentence without a full stop; where it is empty, text has no heading.
  var summary = ""
  /// What the section shows, for a page.
  var about = ""
  var tone: ReportTone?
  var visibility = Visibility.always
  var blocks: [ReportBlock]
}

/// A test case of a JUnit file.
struct ReportCase: Sendable {
  enum Outcome: Sendable {
    case passed(String)
    case skipped(String)
    case failed(message: String, type: String, details: [ReportBlock])
  }

  var name: String
  /// The part of the class name after the command: `conflict`.
  var kind: String
  var outcome: Outcome
}
