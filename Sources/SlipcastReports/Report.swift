public import SlipcastComparison
internal import SlipcastMapping

/// How the text form is written.
public struct ReportStyle: Sendable {
  /// Colours and bold letters for a terminal.
  public var isColored: Bool
  /// Every group in full, with rules, traps and sources.
  public var isVerbose: Bool

  /// A style; plain and short unless told otherwise.
  public init(isColored: Bool = false, isVerbose: Bool = false) {
    self.isColored = isColored
    self.isVerbose = isVerbose
  }
}

extension Comparison {
  /// The comparison as a document, ending with a line feed.
  ///
  /// The same comparison gives the same bytes every time. Control characters and invisible marks of writing direction
  /// never come through, whatever the records hold; only the JSON form keeps values as they are, escaped as JSON.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - style: How the text form is written; the others do not ask.
  public func report(_ format: ReportFormat, style: ReportStyle = ReportStyle()) -> String {
    switch format {
    case .text: TextReport(comparison: self, style: style).text
    case .json: JSONReport(comparison: self).text
    case .markdown: MarkdownReport(comparison: self).text
    case .junit: JUnitReport(comparison: self).text
    case .html: HTMLReport(comparison: self).text
    }
  }
}
