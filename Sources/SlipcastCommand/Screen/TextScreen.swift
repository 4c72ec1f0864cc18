import SlipcastBulk
import SlipcastSystem
import SlipcastWire

/// Text for people on standard output.
///
/// On a terminal no line is longer than its columns, and text with more lines than the terminal has goes through the
/// program that `PAGER` names. Elsewhere the text stays as it is.
final class TextScreen: LineOutput {
  private let columns: Int?
  /// The lines that fit on the terminal, less one for the prompt.
  private let rows: Int
  private let command: String?
  /// Text that may still fit on the terminal.
  private var waiting = ""
  private var lineCount = 0
  private var pager: PagerProcess?
  /// A line that is not complete yet.
  private var rest = ""
  let commitsAnywhere = true

  init() {
    columns = Screen.terminal
    rows = max(1, (Platform.terminalSize(1)?.rows ?? 25) - 1)
    let name = Platform.environment("PAGER")?.trimmingBlanks ?? ""
    command = columns == nil || name.isEmpty || name == "cat" ? nil : name
  }

  func write(_ bytes: Span<UInt8>, part: OutputPart) throws {
    guard columns != nil else { return try put(bytes) }
    try write(String(decoding: bytes))
  }

  func write(_ text: String) throws {
    guard let columns else { return try put(text) }
    var lines = (rest + text).split(separator: "\n", omittingEmptySubsequences: false)
    rest = lines.popLast().map(String.init) ?? ""
    var fitting = ""
    for line in lines {
      for piece in TextLayout.fitted(String(line), to: columns) {
        fitting += piece + "\n"
        lineCount += 1
      }
    }
    try show(fitting)
  }

  func commit() throws -> [OutputState] { [] }

  /// Shows what waits, and waits until the pager is closed.
  func finish() throws {
    if let columns, !rest.isEmpty { try show(TextLayout.fitted(rest, to: columns).joined(separator: "\n")) }
    rest = ""
    if !waiting.isEmpty { try put(waiting) }
    waiting = ""
    guard let pager else { return }
    self.pager = nil
    if !pager.finish() { throw PagerError(command: command ?? "") }
  }

  private func show(_ text: String) throws {
    guard let command else { return try put(text) }
    waiting += text
    if pager == nil, lineCount > rows {
      // `less` shows colors, leaves the text on the screen, and ends by itself where all of it fits.
      pager = PagerProcess(command, variables: ["LESS": "FRX"])
      if pager == nil { try put(waiting) }
    }
    guard pager != nil else { return }
    try put(waiting)
    waiting = ""
  }

  private func put(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes throws in try put(bytes.span) }
  }

  private func put(_ bytes: Span<UInt8>) throws {
    guard let pager else { return try Platform.write(1, bytes, path: "standard output") }
    guard !pager.write(bytes) else { return }
    self.pager = nil
    throw pager.finish()
      ? FileError(path: "the pager", doing: "write", number: Platform.closedPipe)
      : PagerError(command: command ?? "")
  }
}

/// The program that `PAGER` names cannot be run.
private struct PagerError: Error, CustomStringConvertible {
  var command: String
  var description: String {
    "cannot run the pager \"\(command)\"; set PAGER to a program such as less, or to nothing"
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
