import Foundation
import SlipcastTestSupport

/// Words that the sources spell, for tests that look each one up.
enum SourceWords {
  /// An enumeration with words as raw values.
  struct Enumeration {
    let name: String
    let words: [String]
  }

  static let root = Fixture.root.deletingLastPathComponent().appending(path: "Sources")

  /// The Swift files of a folder, by their path.
  static func files(in folder: String = "") throws -> [(path: String, text: String)] {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    var found: [(String, String)] = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      found.append((String(file.path.dropFirst(root.path.count + 1)), try String(contentsOf: file, encoding: .utf8)))
    }
    return found.sorted { $0.0 < $1.0 }
  }

  /// What the last groups of the patterns match.
  static func found(_ patterns: [String], in folder: String = "", without others: [String] = []) throws -> Set<String> {
    let expressions = try patterns.map { try NSRegularExpression(pattern: $0) }
    var found: Set<String> = []
    for (path, text) in try files(in: folder) where !others.contains(where: path.hasPrefix) {
      for expression in expressions {
        for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
          for group in 1..<match.numberOfRanges {
            if let range = Range(match.range(at: group), in: text) { found.insert(String(text[range])) }
          }
        }
      }
    }
    return found
  }

  /// All enumerations of words, without those of Apple's values.
  static func enumerations() throws -> [Enumeration] {
    try files().filter { !$0.path.hasPrefix("SlipcastV2/") && !$0.path.hasPrefix("SlipcastBench/") }.flatMap { file in
      file.text.matches(of: /enum (\w+): String\b[^{\n]*\{/).map { match in
        Enumeration(name: String(match.1), words: cases(file.text[match.range.upperBound...]))
      }
    }
  }

  /// The raw values of the cases up to the brace that closes the enumeration.
  private static func cases(_ text: Substring) -> [String] {
    var (depth, own) = (1, "")
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if depth == 0 { break }
      if depth == 1 { own.append(character) }
    }
    return own.matches(of: /(?:^|\n|;)?\s*\bcase ([^\n:}]*)/).flatMap { line in
      line.1.matches(of: /`?(\w+)`?(?: = "([^"]*)")?/).map { String($0.2 ?? $0.1) }
    }
  }

  /// The names, values and counts that a JSON Schema states.
  struct Schema {
    private(set) var values: Set<String> = []
    /// Members that are counts: integers from 0 on.
    private(set) var counts: Set<String> = []

    init(_ json: Data) throws { read(try JSONSerialization.jsonObject(with: json)) }

    private mutating func read(_ node: Any) {
      if let list = node as? [Any] { for item in list { read(item) } }
      guard let object = node as? [String: Any] else { return }
      values.formUnion((object["enum"] as? [Any] ?? []).compactMap { $0 as? String })
      if let word = object["const"] as? String { values.insert(word) }
      for (name, member) in object["properties"] as? [String: [String: Any]] ?? [:]
      where member["type"] as? String == "integer" && member["minimum"] as? Int == 0 {
        counts.insert(name)
      }
      for member in object.values { read(member) }
    }
  }
}
