import SlipcastTestSupport

@testable import SlipcastMapping

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
      let builtIn = try RuleSet.builtIn()
      return { bytes in try read(Array(bytes), over: builtIn, record) }
    })

  private static func read(_ bytes: [UInt8], over builtIn: RuleSet, _ record: [UInt8]) throws {
    // Reading the built-in files again for each input would take most of the time.
    var (probe, errors) = (builtIn, [MappingError]())
    RuleReader(file: "own.json", isOverlay: true).read(bytes, into: &probe, &errors)
    guard errors.isEmpty else { return }
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
    _ = try? LegacyCaster(mould: LegacyCaster.Mould(rules: rules)).cast(record)
  }
}

/// Rule files cut into small ones, so that an input says little.
enum RulePieces {
  static func of(_ file: [UInt8]) throws -> [[UInt8]] {
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard let head = lines.first, lines.count > 12 else { return [file] }
    let rules = lines.dropFirst().filter { $0.hasPrefix("{") }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
    // Pretty-printed files stay whole.
    guard !rules.isEmpty else { return [file] }
    return stride(from: 0, to: rules.count, by: max(1, rules.count / 4)).map {
      Array("\(head)\n\(rules[$0])\n]}\n".utf8)
    }
  }
}
