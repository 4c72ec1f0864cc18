import Testing

@_spi(Slipcast) @testable import SlipcastWire

/// Lines that are broken for a terminal.
@Suite struct LineFittingTests {
  private static let red = "\u{1B}[31m"
  private static let plain = "\u{1B}[0m"

  private static func visible(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  @Test(arguments: 4...40)
  func noPieceIsWiderAndNothingIsLost(_ width: Int) {
    let line =
      "  \(Self.red)data.transactionInfo.expiresDate\(Self.plain)  ends \(Self.red)earlier in V2\(Self.plain), by 1 h"
    let pieces = TextLayout.fitted(line, to: width)
    #expect(pieces.allSatisfy { Self.visible($0).count <= width })
    let letters = pieces.map(Self.visible).joined().filter { $0 != " " }
    #expect(letters == Self.visible(line).filter { $0 != " " })
  }

  @Test func aColorGoesOnInTheNextPiece() {
    let pieces = TextLayout.fitted("\(Self.red)one two three\(Self.plain) four", to: 8)
    #expect(pieces == ["\(Self.red)one two\(Self.plain)", "  \(Self.red)three\(Self.plain)", "  four"])
  }

  @Test func laterPiecesBeginFurtherToTheRight() {
    #expect(TextLayout.fitted("    one two three four", to: 14) == ["    one two", "      three", "      four"])
  }

  @Test(arguments: ["", "short", "exactly ten"])
  func whatFitsStaysAsItIs(_ line: String) { #expect(TextLayout.fitted(line, to: 11) == [line]) }

  /// A line of a megabyte is broken in time that grows with its length.
  @Test func longLinesTakeTimeInProportion() {
    let pieces = TextLayout.fitted(String(repeating: "x", count: 1 << 20), to: 40)
    #expect(pieces.count > 20_000)
  }
}
