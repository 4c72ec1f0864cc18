/// The state that a `BlockReader` needs to resume in the middle of a source.
struct ReaderState: Hashable, Sendable {
  /// The skipped text: the rest of a record that is longer than the limit.
  enum Skipping: Hashable, Sendable {
    case nothing
    case line
    case wrappedText(width: Int)
    case source
  }

  /// Bytes of the source's text before the next block.
  var offset: Int
  /// Line feeds before it.
  var line = 0
  /// Only blanks so far, or since an array was closed.
  var isFirst = false
  /// The source is damaged, and this was reported.
  var isOver = false
  var skipping = Skipping.nothing
  var array: ArrayScanner?
}

extension ReaderState: LosslessStringConvertible {
  /// Numbers between commas: position, line, flags, then the state of an open array.
  var description: String {
    let skip =
      switch skipping {
      case .nothing: 0
      case .line: 1
      case .source: 2
      case .wrappedText(let width): 3 + width
      }
    let numbers = [offset, line, (isFirst ? 1 : 0) | (isOver ? 2 : 0), skip] + (array?.numbers ?? [])
    return numbers.map(String.init).joined(separator: ",")
  }

  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    // A checkpoint may have been changed; no source is as long as this.
    guard numbers.count == parts.count, numbers.count >= 4,
      [numbers[0], numbers[1], numbers[3]].allSatisfy({ (0...1 << 50).contains($0) })
    else { return nil }
    (offset, line) = (numbers[0], numbers[1])
    (isFirst, isOver) = (numbers[2] & 1 != 0, numbers[2] & 2 != 0)
    skipping =
      switch numbers[3] {
      case 0: .nothing
      case 1: .line
      case 2: .source
      default: .wrappedText(width: numbers[3] - 3)
      }
    guard numbers.count > 4 else { return }
    guard let scanner = ArrayScanner(numbers: Array(numbers[4...])) else { return nil }
    array = scanner
  }
}
