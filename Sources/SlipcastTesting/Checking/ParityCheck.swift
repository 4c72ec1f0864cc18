import SlipcastComparison
import SlipcastMapping
import SlipcastReports

extension Check {
  /// `expectParity` at work.
  func parity(_ legacy: some ParityRecord, _ server: some ParityRecord, strict: Set<DifferenceClass>) -> Comparison? {
    do throws(CheckFault) {
      let (first, second) = (try Input(legacy, fallback: "legacy"), try Input(server, fallback: "server"))
      var comparison = try compare(first, second)
      comparison.strict = strict
      comparison = try accepting(comparison)
      if comparison.verdict == .parity {
        warnOfRules(comparison)
      } else {
        let text = FailureText(comparison)
        fail(text.headline, [text.fields, text.summary, Self.hint(first, second)])
      }
      return comparison
    } catch {
      fail(error.message)
      return nil
    }
  }

  private func compare(_ legacy: Input, _ server: Input) throws(CheckFault) -> Comparison {
    let comparer = try comparer()
    do throws(ComparisonError) {
      return try comparer.compare(
        legacy: legacy.bytes, server: server.bytes, receivedAt: receivedAt, names: (legacy.name, server.name))
    } catch {
      let input = error.side == .legacy ? legacy : server
      throw input.fault(error.place(in: input.bytes), error.message)
    }
  }

  /// Where to read on, when both records are files.
  private static func hint(_ legacy: Input, _ server: Input) -> String {
    guard legacy.file != nil, server.file != nil else { return "" }
    return "slipcast diff --verbose \(legacy.name) \(server.name) shows details of every field"
  }
}
