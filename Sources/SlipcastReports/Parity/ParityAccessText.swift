import SlipcastComparison
import SlipcastWire

/// The difference of access on a terminal: the first of all findings.
struct ParityAccessText {
  /// As many as a person reads; `--verbose` has all.
  private static let fewSamples = 3

  let access: ParityAccess
  /// A gate does not hold because of it.
  let fails: Bool
  let ink: Ink
  let isVerbose: Bool

  /// What would happen, and then the pairs that show it.
  var blocks: [[String]] {
    let samples = access.parity.samples
    let shown = isVerbose ? samples : Array(samples.prefix(Self.fewSamples))
    return [summary] + shown.map(lines)
  }

  private var summary: [String] {
    guard access.hasConflicts else {
      let words = access.others.filter { $0.count > 0 }.map { "\($0.count.grouped) \($0.title)" }
      let counts = words.isEmpty ? [] : TextLayout.wrapped(words.joined(separator: ", "), after: "  ")
      let head = TextLayout.wrapped(access.headline, after: "access  ").map { line in
        line.hasPrefix("access") ? ink.bold("access") + line.dropFirst("access".count) : line
      }
      return head + counts
    }
    let head = "\(fails ? ink.alarm("ACCESS") : ink.bold("access"))  \(access.headline)\(fails ? "" : " (accepted)")"
    let conflicts = access.conflicts.map { fails ? ink.red(line($0)) : line($0) }
    let others = access.others.filter { $0.count > 0 }.map(line)
    let rest = [access.accepted, access.time].compactMap(\.self).map { "  " + ink.dim($0) }
    return [head] + conflicts + others + rest
  }

  private func line(_ outcome: ParityAccess.Outcome) -> String {
    let meaning = outcome.meaning.isEmpty ? "" : ": " + outcome.meaning
    return "  \(TextLayout.aligned(outcome.count.grouped, to: 11))  \(outcome.title)\(meaning)"
  }

  private func lines(_ sample: EntitlementParity.Sample) -> [String] {
    ["  " + ink.bold(sample.records)] + TextLayout.wrapped(sample.words, after: "    ")
      + TextLayout.wrapped(sample.shownExplanation, after: "    ")
  }
}
