import SlipcastSystem
import SlipcastWire

/// The size of a summary and of standard output, and the lines that fit into it.
enum Screen {
  static let lines = 40

  /// The columns of the terminal on standard output, within `TextLayout.widths`; `nil` for pipes and files.
  ///
  /// Asked for once, when the program starts: tests have no terminal, wherever they run.
  @TaskLocal static var terminal: Int?

  /// The columns of text on standard output.
  static var columns: Int { terminal ?? TextLayout.width }

  /// The columns of what is broken only on a terminal, such as commands that a person copies.
  static var columnsOfCode: Int { terminal ?? .max }

  /// Columns of a descriptor's terminal: its own, `COLUMNS`, or 80; `nil` for pipes and files.
  static func columns(of descriptor: Int32) -> Int? {
    guard Platform.isTerminal(descriptor) else { return nil }
    return Platform.terminalSize(descriptor)?.columns ?? Platform.environment("COLUMNS").flatMap(Int.init) ?? 80
  }

  /// The columns for which text on standard output is laid out; `nil` for pipes and files.
  static var askedColumns: Int? {
    columns(of: 1).map { min(max($0, TextLayout.widths.lowerBound), TextLayout.widths.upperBound) }
  }

  /// A summary: lines above, between and below.
  struct Page {
    var opening: [String] = []
    var body: [String] = []
    var closing: [String] = []

    private var room: Int { max(1, Screen.lines - opening.count - closing.count - 2) }

    var isFitting: Bool { body.count <= room }

    /// The text; lines that do not fit are omitted, and a last line reports them.
    func text(omitting words: String) -> String {
      var shown = body
      if !isFitting { shown = Array(body.prefix(room - 1)) + ["  … \(words)"] }
      return (opening + [""] + shown + [""] + closing).map { $0 + "\n" }.joined()
    }
  }

  static func wrapped(_ text: String, _ indent: Int = 0, _ hanging: Int = 0) -> [String] {
    TextLayout.wrapped(text, after: TextLayout.blanks(indent), hanging: indent + hanging, width: columns)
  }

  /// A sentence without its full stop.
  static func clause(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }
}
