import SlipcastBulk
import SlipcastSystem
import SlipcastWire

/// Standard output for data, standard error for words.
struct Console: Sendable {
  var isColored: Bool
  private let isOutputColored: Bool

  init(arguments: Arguments?) {
    isColored = Self.colors(2, arguments)
    isOutputColored = Self.colors(1, arguments)
  }

  static func colors(_ descriptor: Int32, _ arguments: Arguments?) -> Bool {
    switch arguments?.last("color") ?? "auto" {
    case "always": true
    case "never": false
    default: Platform.isTerminal(descriptor) && !isDumb && Platform.environment("NO_COLOR")?.isEmpty ?? true
    }
  }

  /// A terminal that understands no escapes.
  static var isDumb: Bool { Platform.environment("TERM") == "dumb" }

  /// Writes words: everything that standard error ever sees goes through here.
  ///
  /// Names and values of others may be among the words. Whatever could play tricks on a terminal is made harmless, and
  /// passwords are taken out, no matter what the caller has done before.
  func say(_ text: String) { put(words(text)) }

  /// Writes lines that close a run; on a terminal they fit into its columns.
  func close(_ text: String) {
    guard let columns = Screen.columns(of: 2) else { return say(text) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    say(lines.flatMap { TextLayout.fitted(String($0), to: max(20, columns)) }.joined(separator: "\n"))
  }

  /// Shows a line in place of the last one, which was shown so too; it fits into the terminal's columns.
  func redraw(_ line: String) { put("\r\u{1B}[K" + words(line)) }

  private func words(_ text: String) -> String {
    SafeText.lines(PasswordMask.mask(WordMask.mask(text)), keepsColors: isColored)
  }

  private func put(_ text: String) {
    var text = text
    _ = text.withUTF8 { bytes in try? Platform.write(2, bytes.span, path: "standard error") }
  }

  enum Form {
    /// Lines for people: what could play tricks on a terminal becomes U+FFFD, whatever the caller has done before; on
    /// a terminal they fit into its columns, and long text goes through a pager.
    case text
    /// Lines for programs, such as SQL and names: as safe as text, and never broken.
    case lines
    /// Data: the same becomes an escape that means the same.
    case json
    /// A document that a report has made safe by itself, and that may need invisible characters.
    case document
  }

  func print(_ text: String, as form: Form = .text) throws {
    var text =
      switch form {
      case .text, .lines: SafeText.lines(WordMask.mask(text), keepsColors: isOutputColored)
      case .json: SafeText.json(text, keepsLines: true)
      case .document: text
      }
    guard form != .text else { return try Self.show(text) }
    try text.withUTF8 { bytes throws in try Platform.write(1, bytes.span, path: "standard output") }
  }

  private static func show(_ text: String) throws {
    let screen = TextScreen()
    try screen.write(text)
    try screen.finish()
  }

  /// Writes for a reader who may have stopped reading: a closed pipe is not an error where the status is a verdict.
  static func keepingVerdict(_ write: () throws -> Void) throws {
    do {
      try write()
    } catch let error as FileError where error.isClosedPipe {}
  }

  var outputInk: Ink { Ink(isColored: isOutputColored) }

  func red(_ text: String) -> String { Ink(isColored: isColored).red(text) }

  /// A name or a value on one line, without what could play tricks on a terminal.
  static func harmless(_ text: String) -> String { SafeText.words(text) }
}

/// The exit status of the process.
enum ExitCode: Int32 {
  /// Nothing to report.
  case fine = 0
  /// Differences, or records that could not be converted.
  case findings = 1
  /// The job could not be done.
  case failed = 2
}
