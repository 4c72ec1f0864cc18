internal import SlipcastReports
@_spi(Slipcast) internal import SlipcastWire

/// A record as indented JSON for people: long texts are cut, and ids replaced where that is asked for.
struct RecordText {
  let redactor: Redactor
  private var lines: [String] = []
  private var omitted = 0

  /// More lines make a page too large.
  private static let most = 400
  private static let longest = 160
  private static let deepest = 40

  private init(_ redactor: Redactor) { self.redactor = redactor }

  /// The lines; `nil` for bytes that are not JSON.
  static func lines(of body: [UInt8], _ redactor: Redactor) -> String? {
    let reader = JSONReader(names: [])
    return reader.parse(JSONBuffer(body)) { root in
      var text = RecordText(redactor)
      text.add(root, before: "", member: "", after: "", depth: 0)
      let rest = text.omitted > 0 ? ["… \(text.omitted) more lines; slipcast inspect shows them"] : []
      return (text.lines + rest).joined(separator: "\n")
    }
  }

  private mutating func line(_ text: String) {
    if lines.count < Self.most { lines.append(text) } else { omitted += 1 }
  }

  private mutating func add(_ element: JSONElement, before: String, member: String, after: String, depth: Int) {
    let margin = String(repeating: "  ", count: depth)
    let isObject = element.kind == .object
    guard isObject || element.kind == .array, depth < Self.deepest else {
      return line(margin + before + value(element, member) + after)
    }
    let children = element.children
    guard !children.isEmpty else { return line(margin + before + (isObject ? "{}" : "[]") + after) }
    line(margin + before + (isObject ? "{" : "["))
    for (place, child) in children.enumerated() {
      let name = isObject ? child.name : member
      add(
        child, before: isObject ? "\"\(name)\": " : "", member: name,
        after: place + 1 < children.count ? "," : "", depth: depth + 1)
    }
    line(margin + (isObject ? "}" : "]") + after)
  }

  private func value(_ element: JSONElement, _ member: String) -> String {
    let text = redactor.shown(element.json, of: member)
    guard text.count > Self.longest else { return text }
    return "\(text.prefix(Self.longest / 2))…\" (\(text.count) characters)"
  }
}
