import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastWire

/// `expectConversion` at work.
struct ConversionCheck {
  let check: Check
  let emission: Emission

  func run(_ legacy: some ParityRecord, _ expected: some ParityRecord) -> Conversion? {
    do throws(CheckFault) {
      let first = try Input(legacy, fallback: "legacy")
      let expectation = try ConversionExpectation(expected)
      let cast = try cast(first, into: emission == .auto ? expectation.emission : emission)
      var comparison = try expectation.compare(cast, named: first.name)
      comparison = try check.accepting(comparison)
      if comparison.verdict == .parity {
        check.warnOfRules(comparison)
      } else {
        try tell(FailureText(comparison, as: .expectation), expectation, cast)
      }
      return cast
    } catch {
      check.fail(error.message)
      return nil
    }
  }

  private func cast(_ legacy: Input, into emission: Emission) throws(CheckFault) -> Conversion {
    let comparer = try check.comparer()
    do throws(ComparisonError) {
      return try comparer.convert(legacy.bytes, receivedAt: check.receivedAt, into: emission)
    } catch {
      let place = error.place(in: legacy.bytes)
      // A version 2 record may take the place of a legacy one only where two records are compared.
      if case .legacy(let reason) = error.reason { throw legacy.fault(place, "\(reason)") }
      throw legacy.fault(place, "\(error)")
    }
  }

  /// Fails, and writes the cast down where that is asked for.
  private func tell(_ text: FailureText, _ expectation: ConversionExpectation, _ cast: Conversion) throws(CheckFault) {
    guard Surroundings.current.isRecording, let file = expectation.file else {
      return check.fail(text.headline, [text.fields, text.summary])
    }
    try ConversionRecording(file: file, name: expectation.name).write(try expectation.recorded(cast))
    let next = "Look at the file in version control, and run again without SLIPCAST_RECORD."
    guard !expectation.isMissing else { return check.fail("recorded \(expectation.name), which was not there", [next]) }
    check.fail("updated \(expectation.name): \(text.headline)", [text.fields, next])
  }
}

/// Writes an expected cast.
struct ConversionRecording {
  let file: URL
  let name: String

  /// Replaces the file, one member a line, so that a change shows as a small change.
  ///
  /// - Throws: `CheckFault` where it cannot be written.
  func write(_ cast: JSONTree) throws(CheckFault) {
    do {
      try Data((cast.pretty + "\n").utf8).write(to: file, options: .atomic)
    } catch {
      throw CheckFault(FileFault(path: name, action: "write", error: error).description)
    }
  }
}
