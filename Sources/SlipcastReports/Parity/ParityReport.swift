public import SlipcastComparison

extension ParityResult {
  /// The result as a document, ending with a line feed.
  ///
  /// Every form says first how well the archives agree and then who would be served otherwise after the switch. The same
  /// result gives the same bytes every time. Control characters and invisible marks of writing direction never come
  /// through, whatever the records hold; only the JSON form keeps values as they are, escaped as JSON.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - style: How the text form is written; the others do not ask.
  public func report(_ format: ReportFormat, style: ReportStyle = ReportStyle()) -> String {
    switch format {
    case .text: ParityTextReport(result: self, style: style).text
    case .json: ParityJSONReport(result: self).text
    case .markdown: ParityMarkdownReport(result: self).text
    case .junit: ParityJUnitReport(result: self).text
    case .html: ParityPage(result: self).text
    }
  }
}
