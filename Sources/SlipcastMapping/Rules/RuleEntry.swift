internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// One entry of a rule file: turns its members into Swift values and collects all errors among them.
///
/// A member that cannot be read leaves a stand-in in the rule that causes no further error. So the rule can still be
/// checked with the others, and its author sees everything that is wrong with it at once.
final class RuleEntry {
  let file: RuleText
  let element: JSONElement
  let family: String
  /// What the entry is called in messages: its id, or the one that follows from its members.
  var rule: String? { element["id"]?.string ?? Self.name(of: element, in: family) }
  private(set) var errors: [MappingError] = []
  /// Unknown members are errors; those of built-in rules are found when the program is tested.
  private let isChecked: Bool

  init(_ element: JSONElement, in file: RuleText, family: String, isChecked: Bool = true) {
    (self.file, self.element, self.family, self.isChecked) = (file, element, family, isChecked)
  }

  private static func name(of element: JSONElement, in family: String) -> String? {
    func named(_ prefix: String, _ member: String) -> String? { element[member]?.string.map { prefix + $0 } }
    return switch family {
    case "sources": named("", "key")
    case "facts", "archive-facts": named("", "fact")
    case "values", "words": named("", "of")
    case "storekit": named("storekit.", "storekit")
    case "server-events": named("server.", "to")?.replacing("/", with: ".")
    case "receipt-attributes": element["type"]?.integer.map { "\(family).\($0)" }
    case "verify-receipt": (element["to"] ?? element["from"]?.children.first)?.string.map { "\(family).\($0)" }
    case "eras", "grouping", "comparing", "decisions", "notification-types": nil
    default: (element["to"]?.string ?? element["from"]?.children.first?.string).map { "\(family).\($0)" }
    }
  }

  var offset: Int { element.tape.start(element.index) }

  /// An id for a rule whose own cannot be read.
  var substituteID: String { "\(file.file)@\(offset)" }

  /// Reports an error at a member, or at the entry where that is missing.
  func fault(_ message: String, at member: String? = nil) {
    fault(message, in: member.flatMap { element[$0] } ?? element)
  }

  /// Reports an error at a value inside the entry.
  func fault(_ message: String, in value: JSONElement) {
    let offset = value.index == element.index ? offset : value.offset
    let error = file.error(message, at: offset, rule: rule)
    if !errors.contains(error) { errors.append(error) }
  }

  // MARK: members

  /// A text that must be there.
  func text(_ name: String) -> String? {
    guard let value = element[name]?.string, !value.isEmpty else {
      fault("expected a string \"\(name)\"", at: name)
      return nil
    }
    return value
  }

  func optionalText(_ name: String) -> String? {
    guard let value = element[name] else { return nil }
    if value.string == nil { fault("expected a string \"\(name)\"", at: name) }
    return value.string
  }

  /// The strings of an array; other elements are reported and omitted.
  func texts(_ name: String) -> [String] {
    guard let list = element[name] else { return [] }
    guard list.kind == .array else {
      fault("expected an array of strings \"\(name)\"", at: name)
      return []
    }
    return list.children.compactMap { item in
      let text = item.string
      if text == nil { fault("expected an array of strings \"\(name)\"", in: item) }
      return text
    }
  }

  /// Reports members that entries of this kind do not have.
  func only(_ known: @autoclosure () -> [String]) {
    guard isChecked else { return }
    let names = known()
    for child in element.children where !names.contains(child.name) {
      let hint = RuleCheck.suggestion(child.name, names)
      let known = hint.isEmpty ? "; expected one of \(names.joined(separator: ", "))" : hint
      fault("unknown key \"\(child.name)\"\(known)", in: child)
    }
  }

  func word<Word: CaseIterable & RawRepresentable<String>>(_ name: String, _ type: Word.Type) -> Word? {
    if let word = element[name]?.string.flatMap(Word.init(rawValue:)) { return word }
    fault("\"\(name)\" is not one of \(words(type))", at: name)
    return nil
  }

  func words<Word: CaseIterable & RawRepresentable<String>>(_ words: Word.Type) -> String {
    words.allCases.map(\.rawValue).joined(separator: ", ")
  }

  func flag(_ name: String) -> Bool {
    guard let value = element[name] else { return false }
    if value.boolean == nil { fault("expected true or false for \"\(name)\"", at: name) }
    return value.boolean ?? false
  }

  /// The strings of an object; nothing when it is left out.
  func members(_ name: String) -> [(name: String, text: String)] {
    guard let object = element[name] else { return [] }
    guard object.kind == .object else {
      fault("expected an object of strings \"\(name)\"", at: name)
      return []
    }
    return object.children.compactMap { child in
      if child.string == nil { fault("expected an object of strings \"\(name)\"", in: child) }
      return child.string.map { (child.name, $0) }
    }
  }

  func confidence() -> Confidence {
    element["confidence"] == nil ? .documented : word("confidence", Confidence.self) ?? .documented
  }

  func meaning() -> Meaning {
    let sides = ["v1", "v2", "storekit"]
    guard let object = element["meaning"], object.kind == .object else {
      fault("expected an object \"meaning\"", at: "meaning")
      return Meaning(v1: "")
    }
    if object.children.isEmpty {
      fault("expected one of \(sides.joined(separator: ", ")) in \"meaning\"", at: "meaning")
    }
    var (meaning, isWhole) = (Meaning(), true)
    for child in object.children {
      let text = child.string
      switch child.name {
      case "v1": meaning.v1 = text
      case "v2": meaning.v2 = text
      case "storekit": meaning.storekit = text
      default:
        isWhole = false
        let known = sides.joined(separator: ", ")
        fault("unknown key \"\(child.name)\" in \"meaning\"; expected one of \(known)", in: child)
      }
      if text == nil {
        isWhole = false
        fault("expected an object of strings \"meaning\"", in: child)
      }
    }
    if !isWhole, meaning.v1 == nil { meaning.v1 = "" }
    return meaning
  }

  func event(_ text: String) -> EventName { EventName(spelled: text) }
}
