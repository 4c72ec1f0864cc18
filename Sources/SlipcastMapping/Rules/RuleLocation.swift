@_spi(Slipcast) internal import SlipcastWire

/// The text of one rule file, in which errors are located.
final class RuleText: Sendable {
  let file: String
  let bytes: [UInt8]

  init(file: String, bytes: [UInt8]) { (self.file, self.bytes) = (file, bytes) }

  /// An error at a byte offset; the rule is left out where none is known.
  func error(_ message: String, at offset: Int, rule: String? = nil) -> MappingError {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return MappingError(file: file, line: line, column: before.count - start + 1, rule: rule, message: message)
  }
}

/// Where an entry of a rule file begins.
///
/// The offsets of its members are found again when an error needs them: rules without errors pay nothing for them.
struct RuleLocation: Sendable {
  let text: RuleText
  let rule: String?
  let offset: Int

  /// An error at a member of the entry, or at the entry itself.
  func error(_ message: String, at member: String? = nil) -> MappingError {
    text.error(message, at: member.flatMap(offset) ?? offset, rule: rule)
  }

  private func offset(of member: String) -> Int? {
    let buffer = JSONBuffer(text.bytes)
    let reader = JSONReader(names: [])
    guard let tape = try? reader.read(buffer) else { return nil }
    for list in JSONElement(tape: tape).children where list.kind == .array {
      let entry = list.children.first { $0.tape.start($0.index) == offset }
      if let found = entry?[member] { return found.offset }
    }
    return nil
  }
}

extension JSONElement {
  /// Where the element begins; a member of an object begins with its name.
  var offset: Int {
    let entry = tape[index]
    guard entry.keyLength > 0, !entry.isKeyEscaped else { return tape.start(index) }
    return Int(entry.keyStart) - 1
  }
}

/// The text of files and entries that have errors of their own.
///
/// What such a text names is not reported as missing elsewhere: the name would be there if the error were not.
struct UnreadRules: Sendable {
  private var parts: [(family: String?, text: String)] = []
  private var files: [String?] = []

  mutating func append(_ entry: String, family: String) { parts.append((family, entry)) }

  /// Adds a file without readable entries; its family is the one that it states, if that can be found.
  mutating func append(_ file: RuleText) {
    let text = String(decoding: file.bytes, as: UTF8.self)
    let stated = text.firstMatch(of: /"family"\s*:\s*"([^"]*)"/).map { String($0.1) }
    let family = stated.flatMap { RuleSet.families.contains($0) ? $0 : nil }
    parts.append((family, text))
    files.append(family)
  }

  /// True when such a file may be one of a family.
  func hasFile(of family: String) -> Bool { files.contains { $0 ?? family == family } }

  /// True when such a text of one of the families names something, alone or as the last part of a path.
  func mentions(_ name: String, in families: [String]) -> Bool {
    parts.contains { part in
      (part.family.map(families.contains) ?? true)
        && (part.text.contains("\"\(name)\"") || part.text.contains(".\(name)\""))
    }
  }
}
