/// The forms in which a comparison is reported.
public enum ReportFormat: String, CaseIterable, Hashable, Sendable {
  case text
  case json
  case markdown
  case junit
  case html

  /// The form that a file name's extension asks for; `nil` for an extension that none has.
  public init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    switch name.split(separator: ".").dropFirst().last?.lowercased() {
    case "txt": self = .text
    case "json": self = .json
    case "md", "markdown": self = .markdown
    case "xml": self = .junit
    case "html", "htm": self = .html
    default: return nil
    }
  }

  /// The extensions that ask for a form, in words.
  public static let extensions = ".txt, .json, .md, .xml (JUnit), .html"
}
