internal import SlipcastDigest
internal import SlipcastWire

/// The beginning of a line of a journal, which its checksum and its number are in: `{"sum":"0123456789abcdef","number":1,`.
///
/// It is read without the JSON around it, so that damage is found before the line is read.
package enum JournalHead {
  package static let start = #"{"sum":""#
  /// The first hexadecimal digits of the SHA-256 of everything after the comma.
  package static let sumDigits = 16
  private static let sumPlace = start.utf8.count
  private static let sumEnd = sumPlace + sumDigits + #"","#.utf8.count
  private static let number = Array(#""number":"#.utf8)

  /// Follows the number of a repeated event with other content, which is kept and not delivered.
  package static let mark = "differs"
  private static let marked = Array(#","\#(mark)":true,"#.utf8)

  /// What the checksum of a line should be.
  ///
  /// - Parameter line: without its line feed.
  package static func sum(of line: Span<UInt8>) -> Substring.UTF8View {
    let digest = SHA256Stream()
    digest.add(line.extracting(min(sumEnd, line.count)...))
    return digest.hexadecimal.prefix(sumDigits).utf8
  }

  package static func isIntact(_ line: Span<UInt8>) -> Bool {
    line.count > sumEnd && line.extracting(sumPlace..<sumPlace + sumDigits).elementsEqual(sum(of: line))
  }

  /// The number of the event of an intact line.
  static func number(in line: Span<UInt8>) -> Int64? { numberAndEnd(in: line)?.number }

  /// Whether an intact line is a repeated event with other content.
  static func isMarked(_ line: Span<UInt8>) -> Bool {
    numberAndEnd(in: line).map { line.starts(with: marked, at: $0.end) } ?? false
  }

  private static func numberAndEnd(in line: Span<UInt8>) -> (number: Int64, end: Int)? {
    guard line.starts(with: number, at: sumEnd) else { return nil }
    var (at, value) = (sumEnd + number.count, Int64(0))
    while at < line.count, (0x30...0x39).contains(line[at]), value < 1 << 53 {
      value = value * 10 + Int64(line[at] - 0x30)
      at += 1
    }
    return value > 0 ? (value, at) : nil
  }
}
