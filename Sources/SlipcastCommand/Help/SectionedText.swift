/// A text in sections: headings of the form `# name`, and paragraphs with an empty line between them.
struct SectionedText: Sendable {
  private let bytes: [UInt8]
  private var sections: [String: Range<Int>] = [:]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (name, start, at) = ("", 0, 0)
    while at < bytes.count {
      let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if bytes[at..<end].starts(with: "# ".utf8) {
        sections[name] = start..<at
        name = String(decoding: bytes[at + 2..<end].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        start = at
      }
      at = end + 1
    }
    sections[name] = start..<bytes.count
  }

  /// The paragraphs of a section as lines; the first one begins with the heading.
  func paragraphs(of name: String) -> [[String]] {
    guard let section = sections[name] else { return [] }
    let lines = bytes[section].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.split(whereSeparator: \.isEmpty).map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }
}
