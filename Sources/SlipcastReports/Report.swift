public import SlipcastComparison
import SlipcastWire

/// How the text form is written.
public struct ReportStyle: Sendable {
  /// Colors and bold letters for a terminal.
  public var isColored: Bool
  /// Every group in full, with rules, traps and sources.
  public var isVerbose: Bool
  /// The columns of a terminal, 40 to 140: no line is longer.
  ///
  /// `nil` is for files: sentences are wrapped at 100 characters, while paths, table rows and the first line stay whole.
  public var columns: Int?

  /// A style; plain and short by default.
  public init(isColored: Bool = false, isVerbose: Bool = false, columns: Int? = nil) {
    self.isColored = isColored
    self.isVerbose = isVerbose
    self.columns = columns
  }

  fileprivate var form: TextForm { TextForm(ink: Ink(isColored: isColored), isVerbose: isVerbose, columns: columns) }
}

extension Comparison {
  /// A browser becomes slow with more rows of one class; the other forms contain all.
  private static let mostRows = 2000

  /// The comparison as a document, ending with a line feed.
  ///
  /// The same comparison returns the same bytes every time. The forms for people contain no control characters and no
  /// invisible marks of writing direction; only the JSON form keeps values as they are, escaped as JSON.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - style: How the text form is written; the other forms ignore it.
  public func report(_ format: ReportFormat, style: ReportStyle = ReportStyle()) -> String {
    switch format {
    case .text: style.form.text(ReportDocument(self, style.isVerbose ? .all : .needingALook))
    case .json: JSONReport(comparison: self).text
    case .markdown: MarkdownForm().text(ReportDocument(self, .all))
    case .junit: JUnitForm().text(ReportDocument(self, .upTo(0), hasCases: true))
    case .html: HTMLForm().text(ReportDocument(self, .upTo(Self.mostRows)))
    }
  }
}

extension ParityResult {
  /// The result as a document, ending with a line feed.
  ///
  /// Every form starts with how well the archives agree and whose access changes with the switch. The same result
  /// returns the same bytes every time. The forms for people contain no control characters and no invisible marks of
  /// writing direction; only the JSON form keeps values as they are, escaped as JSON.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - style: How the text form is written; the other forms ignore it.
  public func report(_ format: ReportFormat, style: ReportStyle = ReportStyle()) -> String {
    switch format {
    case .text: style.form.text(ReportDocument(self))
    case .json: ParityJSONReport(result: self).text
    case .markdown: MarkdownForm().text(ReportDocument(self))
    case .junit: JUnitForm().text(ReportDocument(self))
    case .html: HTMLForm().text(ReportDocument(self))
    }
  }
}
