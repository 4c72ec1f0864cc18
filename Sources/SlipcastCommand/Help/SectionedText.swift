/// A text in sections: headings of the form `# name`, and paragraphs with an empty line between them.
struct SectionedText: Sendable {
  private struct Section {
    let name: String
    let start, end: Int
  }

  private let bytes: [UInt8]
  private var sections: [Section] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (name, start, at) = ("", 0, 0)
    while at < bytes.count {
      let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if bytes[at] == UInt8(ascii: "#"), at + 1 < end, bytes[at + 1] == UInt8(ascii: " ") {
        sections.append(Section(name: name, start: start, end: at))
        name = String(decoding: bytes[at + 2..<end].prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        start = at
      }
      at = end + 1
    }
    sections.append(Section(name: name, start: start, end: bytes.count))
  }

  /// The paragraphs of a section as lines; the first one begins with the heading.
  func paragraphs(of name: String) -> [[String]] {
    lines(of: name).map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// The same, for readers that need few of them as texts.
  func lines(of name: String) -> [ArraySlice<ArraySlice<UInt8>>] {
    guard let section = sections.last(where: { $0.name == name }) else { return [] }
    let text = bytes[section.start..<section.end]
    return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
  }
}
