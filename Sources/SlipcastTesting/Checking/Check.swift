import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastWire

/// What all expectations share: how legacy records are read, what is accepted, and who receives issues.
struct Check {
  var comment: String?
  var ignoring: [IgnoreRule] = []
  var receivedAt: Timestamp?
  var rules: RuleSet?
  var options = ConversionOptions()
  let site: CallSite

  /// A comparer with the rules of the test.
  func comparer() throws(CheckFault) -> RecordComparer {
    do {
      return try RecordComparer(rules: try rules ?? Self.builtIn.get(), options: options)
    } catch {
      throw CheckFault("\(error)")
    }
  }

  /// Reading the rules takes longer than comparing a pair.
  private static let builtIn = Result { try RuleSet.builtIn() }

  /// The same comparison with what the test accepts marked.
  func accepting(_ comparison: Comparison) throws(CheckFault) -> Comparison {
    let now = Surroundings.current.now ?? Timestamp.now
    var comparison = comparison
    for rule in ignoring {
      let list: IgnoreList
      do throws(IgnoreList.Fault) {
        list = try IgnoreList(
          pattern: rule.pattern, until: rule.until, reason: rule.reason, name: rule.source, number: rule.line)
      } catch {
        throw CheckFault("the ignore rule in \(rule.source), \(error)")
      }
      let before = comparison.notes
      comparison = comparison.ignoring(list, now: now)
      if rule.isShared, comparison.notes.last?.code == "ignoreUnused" { comparison.notes = before }
    }
    return comparison
  }

  /// Tells a failure; parts that are empty are left out, the others stand apart from each other.
  func fail(_ headline: String, _ parts: [String] = []) {
    let start = Surroundings.current.caseName.map { "\(SafeText.words($0)): " } ?? ""
    let first = [start + headline, comment ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    let text = ([first] + parts).filter { !$0.isEmpty }.joined(separator: "\n\n")
    Surroundings.current.reporter.report(text, .failure, site)
  }

  /// Tells of ignore rules that are not needed any more, in one warning.
  func warnOfRules(_ comparison: Comparison) {
    let notes = comparison.notes.filter { $0.code.hasPrefix("ignore") }
    guard !notes.isEmpty else { return }
    let start = Surroundings.current.caseName.map { "\($0): " } ?? ""
    let text = notes.map { SafeText.words(start + $0.message) }.joined(separator: "\n")
    Surroundings.current.reporter.report(text, .warning, site)
  }
}
