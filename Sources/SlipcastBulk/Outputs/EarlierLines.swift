import SlipcastSystem

/// What a file of lines holds before a run appends to it, without its compression.
struct EarlierLines {
  /// The first line without its end, or as much of it as a header row can have.
  private(set) var first: [UInt8] = []
  private(set) var isEmpty = true
  /// The last line has no line feed.
  private(set) var isUnended = false
  private static let longest = 64 << 10

  /// - Throws: `FileError` for a file whose compressed data is damaged, because what follows them could not be read.
  init(of path: String) throws(FileError) {
    guard let bytes = try SourceMembers(InputFile(path: path), patterns: []).next()?.bytes else { return }
    var (head, isWhole, last) = ([UInt8](), false, UInt8?.none)
    try bytes.forEachPiece { piece in
      last = piece.last
      guard !isWhole, head.count < Self.longest else { return }
      let feed = piece.firstIndex(of: 0x0A)
      head += piece[..<(feed ?? piece.count)]
      isWhole = feed != nil
    }
    if head.last == 0x0D { head.removeLast() }
    (first, isEmpty, isUnended) = (head, last == nil, last.map { $0 != 0x0A } ?? false)
  }
}
