import SlipcastBulk
import SlipcastWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Standard output for data, standard error for words.
struct Console: Sendable {
  /// Words may be coloured.
  var isColored: Bool

  init(arguments: Arguments?) { isColored = Self.colors(2, arguments) }

  /// True when what goes to a descriptor may be coloured.
  static func colors(_ descriptor: Int32, _ arguments: Arguments?) -> Bool {
    switch arguments?.last("color") ?? "auto" {
    case "always": true
    case "never": false
    default: isTerminal(descriptor) && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
    }
  }

  /// True when a descriptor leads to a person.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Writes words.
  func say(_ text: String) {
    var text = text
    _ = text.withUTF8 { bytes in try? Platform.write(2, bytes, path: "standard error") }
  }

  /// Writes data.
  ///
  /// - Throws: `BulkError` when nobody reads any more, or the disk is full.
  func print(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes throws in try Platform.write(1, bytes, path: "standard output") }
  }

  /// Text in bold, where colours are allowed.
  func bold(_ text: String) -> String { Ink(isColored: isColored).bold(text) }

  /// Text in red, where colours are allowed.
  func red(_ text: String) -> String { Ink(isColored: isColored).red(text) }

  /// A file name without the control characters that could play tricks on a terminal.
  static func harmless(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : $0 }))
  }
}

/// What the process tells its caller.
enum ExitCode: Int32 {
  /// Nothing to report.
  case fine = 0
  /// Differences, or records that could not be converted.
  case findings = 1
  /// The job could not be done.
  case failed = 2
}
