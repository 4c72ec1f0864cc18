/// Breaks one line, which may have escapes for colors.
struct LineFitting {
  /// A character that takes a column, or an escape that takes none.
  private enum Piece {
    case character(Character)
    case escape(String)
  }

  private let line: [Piece]
  private let width: Int
  private let margin: String

  init(_ line: String, width: Int) {
    self.line = Self.split(line)
    self.width = width
    let blanks = line.prefix { $0 == " " }.count
    margin = TextLayout.blanks(min(blanks + 2, width / 2))
  }

  private static func split(_ line: String) -> [Piece] {
    var (pieces, rest) = ([Piece](), line[...])
    while let first = rest.first {
      if first == "\u{1B}", let end = rest.firstIndex(of: "m") {
        pieces.append(.escape(String(rest[...end])))
        rest = rest[rest.index(after: end)...]
      } else {
        pieces.append(.character(first))
        rest = rest.dropFirst()
      }
    }
    return pieces
  }

  func pieces() -> [String] {
    var (lines, start) = ([String](), line.startIndex)
    var color = ""
    while let (end, next) = cut(from: start, room: lines.isEmpty ? width : width - margin.count) {
      lines.append(text(start..<end, isFirst: lines.isEmpty, &color))
      start = next
    }
    lines.append(text(start..<line.endIndex, isFirst: lines.isEmpty, &color))
    return lines
  }

  /// Where the line that begins there ends, and where the next one begins; `nil` where the rest fits.
  private func cut(from start: Int, room: Int) -> (end: Int, next: Int)? {
    var (columns, blank) = (0, nil as Int?)
    var hasWord = false
    for place in start..<line.endIndex {
      guard case .character(let character) = line[place] else { continue }
      if columns == room {
        if character == " " { return (place, afterBlanks(place)) }
        guard let blank else { return (place, place) }
        return (blank, afterBlanks(blank))
      }
      columns += 1
      if character != " " { hasWord = true } else if hasWord { blank = place }
    }
    return nil
  }

  private func afterBlanks(_ place: Int) -> Int {
    var place = place
    while place < line.endIndex, case .character(" ") = line[place] { place += 1 }
    return place
  }

  private func text(_ range: Range<Int>, isFirst: Bool, _ color: inout String) -> String {
    var text = (isFirst ? "" : margin) + color
    for piece in line[range.lowerBound..<endOfWords(range)] {
      switch piece {
      case .character(let character): text.append(character)
      case .escape(let escape):
        text += escape
        color = escape == Self.plain ? "" : escape
      }
    }
    return color.isEmpty ? text : text + Self.plain
  }

  /// Where the last word ends: blanks at the end of a line are left out.
  private func endOfWords(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, case .character(" ") = line[end - 1] { end -= 1 }
    return end
  }

  private static let plain = "\u{1B}[0m"
}
