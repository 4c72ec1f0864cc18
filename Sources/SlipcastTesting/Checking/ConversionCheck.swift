import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastWire

extension Check {
  /// `expectConversion` at work.
  func conversion(
    _ legacy: some ParityRecord, _ expected: some ParityRecord, into emission: Emission
  ) -> Conversion? {
    do throws(CheckFault) {
      let first = try Input(legacy, fallback: "legacy")
      let expectation = try ConversionExpectation(expected)
      let cast = try cast(first, into: emission == .auto ? expectation.emission : emission)
      let comparison = try accepting(try expectation.compare(cast, named: first.name))
      if comparison.verdict == .parity {
        warnOfRules(comparison)
      } else {
        try tell(FailureText(comparison, as: .expectation), expectation, cast)
      }
      return cast
    } catch {
      fail(error.message)
      return nil
    }
  }

  private func cast(_ legacy: Input, into emission: Emission) throws(CheckFault) -> Conversion {
    let comparer = try comparer()
    do throws(ComparisonError) {
      return try comparer.convert(legacy.bytes, receivedAt: receivedAt, into: emission)
    } catch {
      throw legacy.fault(error.place(in: legacy.bytes), error.messageOfConversion)
    }
  }

  /// Fails, and writes the cast down where that is asked for.
  private func tell(_ text: FailureText, _ expectation: ConversionExpectation, _ cast: Conversion) throws(CheckFault) {
    guard Surroundings.current.isRecording, let file = expectation.file else {
      return fail(text.headline, [text.fields, text.summary])
    }
    try record(try expectation.recorded(cast), in: file, named: expectation.name)
    let next = "Look at the file in version control, and run again without SLIPCAST_RECORD."
    guard !expectation.isMissing else { return fail("recorded \(expectation.name), which was not there", [next]) }
    fail("updated \(expectation.name): \(text.headline)", [text.fields, next])
  }

  /// Replaces an expectation, one member a line, so that a change shows as a small change.
  private func record(_ cast: JSONTree, in file: URL, named name: String) throws(CheckFault) {
    do {
      try Data((cast.pretty + "\n").utf8).write(to: file, options: .atomic)
    } catch {
      throw CheckFault(FileFault(path: name, action: "write", error: error).description)
    }
  }
}
