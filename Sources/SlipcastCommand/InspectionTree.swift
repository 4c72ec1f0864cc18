@_spi(Slipcast) import SlipcastWire

/// An inspected record as indented text for people.
struct InspectionTree {
  let isColored: Bool
  /// Lines are as long as the records that they show, which were read within their limit.
  private let reader = JSONReader(names: [], limits: JSONLimits(depth: 256, recordBytes: .max))

  init(isColored: Bool) { self.isColored = isColored }

  /// A line that is longer is read in pieces.
  private static let long = 1 << 20

  /// Writes the text of one line of JSON, with an empty line after it, in pieces.
  func write(_ line: Span<UInt8>, _ emit: (String) throws -> Void) rethrows {
    guard line.count > Self.long, let members = JSONPieces(line) else { return try emit(text(of: line)) }
    let head = JSONWriter(capacity: 1024)
    head.byte(UInt8(ascii: "{"))
    var rest = members
    while let member = rest.next(in: line) {
      guard isTold(member, in: line) else { continue }
      head.comma()
      if let name = member.name { head.raw(line.extracting(name)) }
      head.byte(UInt8(ascii: ":"))
      head.raw(line.extracting(member.value))
    }
    head.byte(UInt8(ascii: "}"))
    try emit(String(text(of: head.buffer.span).dropLast()))
    rest = members
    while let member = rest.next(in: line) {
      guard !isTold(member, in: line) else { continue }
      try write(line.extracting(member.value), name(of: member, in: line), depth: 1, emit)
    }
    try emit("\n")
  }

  private func name(of member: JSONPieces.Piece, in line: Span<UInt8>) -> String {
    member.name.flatMap { reader.parse(JSONBuffer(line.extracting($0))) { $0.string } } ?? ""
  }

  private func isTold(_ member: JSONPieces.Piece, in line: Span<UInt8>) -> Bool {
    Self.told.contains(name(of: member, in: line)) && member.value.count <= Self.long
  }

  /// Writes a value; the values in a long one, one after another.
  private func write(
    _ value: Span<UInt8>, _ label: String, depth: Int, _ emit: (String) throws -> Void
  ) rethrows {
    guard value.count > Self.long, var children = JSONPieces(value) else {
      var text = ""
      reader.parse(JSONBuffer(value)) { write($0, label, depth: depth, to: &text) }
      return try emit(text)
    }
    try emit("\(String(repeating: "  ", count: depth))\(bold(SafeText.words(label)))\n")
    var place = 0
    while let child = children.next(in: value) {
      let label = child.name == nil ? "[\(place)]" : name(of: child, in: value)
      try write(value.extracting(child.value), label, depth: depth + 1, emit)
      place += 1
    }
  }

  /// The text of one line of JSON, with an empty line behind it.
  private func text(of line: Span<UInt8>) -> String {
    let buffer = JSONBuffer(line)
    defer { withExtendedLifetime(buffer) {} }
    guard let tape = try? reader.read(buffer) else { return "" }
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

  private static let told: Set = [
    "input", "line", "offset", "kind", "verdict", "reason", "message", "judgedAt", "signingTime", "unverified", "at",
  ]

  private func title(input: JSONElement?, line: JSONElement?, kind: JSONElement?) -> String {
    let number = line?.integer ?? 1
    let place = SafeText.words(input?.string ?? "") + (number > 1 ? ":\(number)" : "")
    return "\(place): \(Self.words[kind?.string ?? ""] ?? "not recognized")"
  }

  private static let words = [
    "appReceipt": "app receipt", "transactionReceipt": "transaction receipt in the style of iOS 6",
    "notificationV1": "version 1 notification", "verifyReceipt": "verifyReceipt response",
    "notification": "version 2 notification", "transaction": "version 2 transaction",
    "renewalInfo": "version 2 renewal info", "appTransaction": "version 2 app transaction",
    "history": "version 2 purchase history", "statuses": "version 2 subscription statuses",
    "answer": "response of the App Store Server API", "certificate": "certificates",
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

  /// Long texts are cut: tokens and receipts are also shown decoded.
  private func value(_ element: JSONElement, _ label: String) -> String {
    guard let string = element.string else { return element.json + time(element.integer, label) }
    let cut =
      string.unicodeScalars.count > 200 ? String(String.UnicodeScalarView(string.unicodeScalars.prefix(60))) : nil
    if let cut { return "\(SafeText.words(cut))… (\(string.utf8.count) bytes)" }
    return SafeText.words(string) + time(Int64(string), label)
  }

  /// Milliseconds are for programs; people need a date as well.
  private func time(_ value: Int64?, _ label: String) -> String {
    guard let value, value > 100_000_000_000, value < 253_402_300_800_000,
      label.hasSuffix("_ms") || label.hasSuffix("Date") || label == "expires_date" || label == "judgedAt"
    else { return "" }
    return "  \(Timestamp(milliseconds: value))"
  }

  private func bold(_ text: String) -> String { isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
