import SlipcastWire

/// The size of a summary, and the lines that fit into it.
enum Screen {
  static let lines = 40
  static let columns = TextLayout.width

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
    TextLayout.wrapped(text, after: TextLayout.blanks(indent), hanging: indent + hanging)
  }

  /// A sentence without its full stop.
  static func clause(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }
}
