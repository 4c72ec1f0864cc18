import SlipcastMapping
import SlipcastTestSupport

extension FuzzTarget {
  /// Rule files of users, laid over the built-in rules.
  static let rules = FuzzTarget(
    name: "rules",
    summary: "a rule file is refused with file, line and column, or compiles into rules that cast records",
    seeds: {
      try Seeds.folder("Mappings/rules", endingIn: [".json"]).flatMap(RulePieces.of)
    },
    words: [
      "family", "rules", "from", "to", "using", "relation", "confidence", "meaning", "note", "source", "since", "when",
      "type", "subtype", "absorbed", "candidates", "transaction", "renewal", "notification", "derived", "renamed",
    ],
    limit: 8 << 10,
    make: {
      let record = try Fixture.named("notifications/did-renew").bytes("v1.json")
      return { bytes in try read(Array(bytes), record) }
    })

  private static func read(_ bytes: [UInt8], _ record: [UInt8]) throws {
    // Reading the built-in files again for each input would take most of the time.
    guard RuleSet.errors(in: bytes, of: "own.json").isEmpty else { return }
    let rules: RuleSet
    do {
      rules = try RuleSet(overlays: [(name: "own.json", bytes: bytes)])
    } catch let error as MappingErrors {
      guard !error.errors.isEmpty else { throw Violation("refused without a reason") }
      return
    } catch {
      throw Violation("refused in another way: \(error)")
    }
    for rule in rules.fields where rules.overlaid.contains(rule.id) { _ = Explainer(rules: rules).pages(for: rule.id) }
    _ = try? LegacyConverter(prepared: LegacyConverter.PreparedRules(rules: rules)).convert(record)
  }
}

/// Rule files cut into small ones with one rule each, so that an input says little.
enum RulePieces {
  /// Up to five files with a rule of this one; the file itself when it is laid out in another way.
  static func of(_ file: [UInt8]) -> [[UInt8]] {
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    // The list of rules is the member of the file whose objects are indented once more.
    guard let first = lines.firstIndex(where: { $0.hasPrefix("    {") }), first > 0,
      let last = lines.lastIndex(where: { $0.hasPrefix("    {") || $0.hasPrefix("    }") })
    else { return [file] }
    var rules: [[Substring]] = []
    for line in lines[first...last] {
      if line.hasPrefix("    {") { rules.append([]) }
      guard !rules.isEmpty else { continue }
      rules[rules.count - 1].append(line)
    }
    // A family of many words is one rule, and too long to be changed with effect.
    rules.removeAll { $0.reduce(0) { $0 + $1.utf8.count } > 3 << 10 }
    let head = lines[..<first].joined(separator: "\n")
    return stride(from: 0, to: rules.count, by: max(1, rules.count / 4)).map { place in
      let rule = rules[place].joined(separator: "\n")
      return Array("\(head)\n\(rule.hasSuffix(",") ? rule.dropLast() : rule[...])\n  ]\n}\n".utf8)
    }
  }
}
