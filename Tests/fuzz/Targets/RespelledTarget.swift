import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// The conversion of a record compared with that of another spelling of it; the first byte chooses the emission.
  static let respelled = FuzzTarget(
    name: "respelled",
    summary: "the order of keys, blanks, escapes, and numbers and flags in strings change nothing in the conversion",
    seeds: {
      try Seeds.files(["notifications", "receipts"], named: ["v1.json"], most: 120).enumerated()
        .map { [UInt8($0.offset % 4)] + $0.element }
    },
    words: LegacyWords.all,
    limit: 8 << 10,
    make: {
      let prepared = LegacyConverter.PreparedRules(rules: try RuleSet.builtIn())
      let (texts, respelling) = (TextReader(), Respelling())
      let (first, second) = (ConversionBench(prepared), ConversionBench(prepared))
      return { bytes in
        let emission = Emission.allCases[Int(bytes.first ?? 0) % Emission.allCases.count]
        guard let root = texts.value(bytes.rest), let other = respelling.spell(root) else { return }
        let one = try first.outcome(of: bytes.rest, emission)
        let two = try second.outcome(of: other, emission)
        guard one.error == two.error, one.line.elementsEqual(two.line) else {
          throw Violation("another conversion of the same record: \(String(decoding: other, as: UTF8.self))")
        }
      }
    })
}

extension ConversionBench {
  /// The line of a record, or the code of its error.
  fileprivate func outcome(
    of record: UnsafeBufferPointer<UInt8>, _ emission: Emission
  ) throws -> (line: UnsafeBufferPointer<UInt8>, error: String?) {
    let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    do {
      return (try line(of: record, into: emission), nil)
    } catch let error as LegacyError {
      return (nothing, error.code)
    } catch let error as ConversionError {
      return (nothing, error.code)
    } catch let error as JSONError {
      return (nothing, error.code)
    }
  }
}
