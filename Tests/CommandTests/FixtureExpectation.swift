import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

/// What a person derived from the facts about a record before it was converted: the lines of its `source.txt`.
struct FixtureExpectation {
  /// The kinds of lines; `Fixtures/README.md` documents each.
  enum Kind: String, CaseIterable {
    case event
    case confidence
    case atMost = "at-most"
    case atLeast = "at-least"
    case candidates
    case absorbed
    case accepts
    case status
    case finding
    case noFinding = "no-finding"
    case findings
    case has
    case lacks
    case inferred
    case notInferred = "not-inferred"
    case notDocumented = "not-documented"
    case value
  }

  /// One line.
  struct Line {
    let kind: Kind
    let words: [String]
    var text: String { "\(kind.rawValue): " + words.joined(separator: " ") }
  }

  struct Unreadable: Error { let line: String }

  private(set) var lines: [Line] = []
  private(set) var hasSource = false

  /// Reads the lines; the first one and `source:` hold no expectation.
  init(_ fixture: Fixture) throws {
    for line in try fixture.text("source.txt").split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ").map(String.init)
      guard let first = words.first, first.hasSuffix(":"), words.count > 1 else { throw Unreadable(line: String(line)) }
      if first == "source:" {
        hasSource = true
        continue
      }
      guard let kind = Kind(rawValue: String(first.dropLast())) else { throw Unreadable(line: String(line)) }
      lines.append(Line(kind: kind, words: Array(words.dropFirst())))
    }
  }
}

/// The parts of a converted line and its provenance that expectations name.
struct ConvertedLine {
  let root: JSONElement
  let findings: [String]
  let rules: RuleSet

  init(root: JSONElement, provenance: JSONElement, rules: RuleSet) {
    self.root = root
    self.rules = rules
    findings = provenance["findings"]?.children.compactMap { $0["code"]?.string } ?? []
  }

  private var migration: JSONElement? { root["migration"] }
  var event: String { Self.event(root) }
  var confidence: String { migration?["confidence"]?.string ?? "" }
  var candidates: [String] { migration?["candidates"]?.children.map(Self.event) ?? [] }
  var isAbsorbed: Bool { migration?["absorbed"] != nil }
  var inferred: [String] { migration?["inferred"]?.children.compactMap(\.string) ?? [] }

  /// What `migration.accepts` names and what the rule accepts in every record.
  var accepts: [String] {
    let own = migration?["accepts"]?.children.map(Self.event) ?? []
    let rule = rules.types.first { $0.id == migration?["rule"]?.string }
    return own + (rule?.accepts.map(\.description) ?? [])
  }

  /// The value at a dotted path with indexes, `data[0].status`; `nil` where it is absent.
  func value(_ path: String) -> String? {
    var element: JSONElement? = root
    for part in path.split(whereSeparator: { ".[]".contains($0) }) {
      guard let current = element else { return nil }
      if let index = Int(part) {
        element = current.children.indices.contains(index) ? current.children[index] : nil
      } else {
        element = current[String(part)]
      }
    }
    return element.map { $0.string ?? $0.json }
  }

  private static func event(_ element: JSONElement) -> String {
    [element["notificationType"]?.string, element["subtype"]?.string].compactMap(\.self).joined(separator: "/")
  }
}

extension ConvertedLine {
  /// Nil where the line is as expected; else what it has instead.
  func difference(from line: FixtureExpectation.Line) -> String? {
    let word = line.words.first ?? ""
    let (holds, found): (Bool, String) =
      switch line.kind {
      case .event: (word.split(separator: "|").contains { $0 == event }, event)
      case .confidence: (confidence == word, confidence)
      case .atMost: (Self.rank(confidence) >= Self.rank(word), confidence)
      case .atLeast: (Self.rank(confidence) <= Self.rank(word), confidence)
      case .candidates:
        (word == "none" ? candidates.isEmpty : Set(line.words).isSubset(of: candidates), "\(candidates)")
      case .absorbed: (isAbsorbed == (word == "yes"), "\(isAbsorbed)")
      case .accepts: (Set(line.words).isSubset(of: accepts), "\(accepts)")
      case .finding, .noFinding, .findings: judgeFinding(line.kind, word)
      case .status, .has, .lacks, .inferred, .notInferred, .notDocumented, .value: judgeValue(line)
      }
    return holds ? nil : found
  }

  private func judgeFinding(_ kind: FixtureExpectation.Kind, _ word: String) -> (Bool, String) {
    let names = word.split(separator: "|").map(String.init)
    let isPresent = word == "*" ? !findings.isEmpty : !Set(names).isDisjoint(with: findings)
    let holds = kind == .finding ? isPresent : kind == .noFinding ? !isPresent : findings.isEmpty
    return (holds, "\(findings)")
  }

  private func judgeValue(_ line: FixtureExpectation.Line) -> (Bool, String) {
    let word = line.words.first ?? ""
    let path = line.kind == .status ? "data.status" : word
    let (value, isInferred) = (value(path), inferred.contains(path))
    let holds =
      switch line.kind {
      case .status: value == (word == "none" ? nil : word)
      case .has: value != nil
      case .lacks: value == nil
      case .inferred: value != nil && isInferred
      case .notInferred: !isInferred
      case .notDocumented: value == nil || isInferred
      default: value == line.words.dropFirst().joined(separator: " ")
      }
    return (holds, (value ?? "absent") + (isInferred ? ", inferred" : ""))
  }

  /// The place of a confidence, the strongest first; an unknown word is stronger than all, so that it never fits.
  private static func rank(_ word: String) -> Int {
    ["documented", "corroborated", "inferred", "ambiguous"].firstIndex(of: word) ?? -1
  }
}
