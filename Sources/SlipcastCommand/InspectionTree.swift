// Unsafe on purpose: lines are read where they stand in the output.
@_spi(Slipcast) import SlipcastWire

/// An inspected record as indented text for people.
struct InspectionTree {
  let isColored: Bool
  /// Lines are as long as the records that they show, which were read within their limit.
  private let reader = JSONReader(names: [], limits: JSONLimits(depth: 256, recordBytes: .max))

  init(isColored: Bool) { self.isColored = isColored }

  /// The text of one line of JSON, with an empty line behind it.
  func text(of line: UnsafeBufferPointer<UInt8>) -> String {
    let buffer = JSONBuffer(line)
    defer { withExtendedLifetime(buffer) {} }
    guard let tape = try? reader.read(buffer.base, count: buffer.count) else { return "" }
    // Sources may be a million broken records: names are copied once for each of them, not once for each question.
    let members = JSONElement(tape: tape).children.map { (name: $0.name, element: $0) }
    func member(_ name: String) -> JSONElement? { members.last { $0.name == name }?.element }
    var text = bold(title(input: member("input"), line: member("line"), kind: member("kind"))) + "\n"
    if let verdict = member("verdict")?.string {
      text += "  verdict: \(verdict)"
      if let time = member("judgedAt")?.integer { text += " as of \(Timestamp(milliseconds: time))" }
      if member("signingTime") != nil { text += ", signing time undetermined" }
      text += member("unverified") == nil ? "\n" : ", NOT VERIFIED\n"
    }
    if let message = member("message")?.string {
      text += "  \(member("reason")?.string ?? ""): \(SafeText.words(message))\n"
    }
    for (name, element) in members where !Self.told.contains(name) { write(element, name, depth: 1, to: &text) }
    return text + "\n"
  }

  /// What stands in the first lines already.
  private static let told: Set = [
    "input", "line", "offset", "kind", "verdict", "reason", "message", "judgedAt", "signingTime", "unverified", "at",
  ]

  private func title(input: JSONElement?, line: JSONElement?, kind: JSONElement?) -> String {
    let number = line?.integer ?? 1
    let place = SafeText.words(input?.string ?? "") + (number > 1 ? ":\(number)" : "")
    return "\(place): \(Self.words[kind?.string ?? ""] ?? "not recognised")"
  }

  private static let words = [
    "appReceipt": "app receipt", "transactionReceipt": "transaction receipt in the style of iOS 6",
    "notificationV1": "version 1 notification", "verifyReceipt": "answer of verifyReceipt",
    "notification": "version 2 notification", "transaction": "version 2 transaction",
    "renewalInfo": "version 2 renewal info", "appTransaction": "version 2 app transaction",
    "history": "version 2 purchase history", "statuses": "version 2 subscription statuses",
    "answer": "answer of the App Store Server API", "certificate": "certificates",
  ]

  private func write(_ element: JSONElement, _ label: String, depth: Int, to text: inout String) {
    let margin = String(repeating: "  ", count: depth)
    let name = SafeText.words(label)
    switch element.kind {
    case .object, .array:
      let children = element.children
      if children.isEmpty {
        text += "\(margin)\(name): none\n"
      } else {
        text += "\(margin)\(bold(name))\n"
        for (place, child) in children.enumerated() {
          write(child, element.kind == .array ? "[\(place)]" : child.name, depth: depth + 1, to: &text)
        }
      }
    default: text += "\(margin)\(name): \(value(element, label))\n"
    }
  }

  /// Long texts are cut: tokens and receipts are shown decoded beside them.
  private func value(_ element: JSONElement, _ label: String) -> String {
    guard let string = element.string else { return element.json + time(element.integer, label) }
    let cut =
      string.unicodeScalars.count > 200 ? String(String.UnicodeScalarView(string.unicodeScalars.prefix(60))) : nil
    if let cut { return "\(SafeText.words(cut))… (\(string.utf8.count) bytes)" }
    return SafeText.words(string) + time(Int64(string), label)
  }

  /// Milliseconds are for programs; people want a date beside them.
  private func time(_ value: Int64?, _ label: String) -> String {
    guard let value, value > 100_000_000_000, value < 253_402_300_800_000,
      label.hasSuffix("_ms") || label.hasSuffix("Date") || label == "expires_date" || label == "judgedAt"
    else { return "" }
    return "  \(Timestamp(milliseconds: value))"
  }

  private func bold(_ text: String) -> String { isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
