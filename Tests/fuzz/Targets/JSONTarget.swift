import Foundation
import SlipcastLegacy
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// JSON text that is read, written and read again.
  static let json = FuzzTarget(
    name: "json",
    summary: "what was read of a JSON text is written and read again without a change; errors have a place in the text",
    seeds: { try jsonSeeds() },
    words: jsonWords,
    limit: 8 << 10,
    make: {
      let bench = JSONBench()
      return { bytes in try bench.run(bytes) }
    })

  /// JSON text: Slipcast's reader compared with Foundation's.
  static let foundation = FuzzTarget(
    name: "foundation",
    summary: "Foundation reads the same values from a JSON text, or rejects it too",
    seeds: { try jsonSeeds() },
    words: jsonWords,
    limit: 8 << 10,
    make: {
      let texts = TextReader(names: LegacyKey.names)
      return { bytes in try FoundationJSON.requireSameReading(bytes, texts) }
    })

  private static func jsonSeeds() throws -> [[UInt8]] {
    try Seeds.files(
      ["notifications", "receipts", "rejects"], named: ["v1.json", "input.json", "input.ndjson"], most: 40)
      + ["[]", "{}", #"{"a":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00"],"a":{}}"#].map { Array($0.utf8) }
  }

  private static let jsonWords = [
    "\\u0000", "\\ud83d", "\\ude00", "\u{FEFF}", "1e400", "-0", "9223372036854775808", "true", "false", "null",
  ]
}

/// Reads, writes and reads texts.
private final class JSONBench {
  private let first = TextReader(names: LegacyKey.names)
  private let second = TextReader()
  private let writer = JSONWriter()

  func run(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    let tape: JSONTape
    do throws(JSONError) {
      tape = try first.read(bytes)
    } catch {
      guard (0...bytes.count).contains(error.offset) else { throw Violation("an error's position is outside the text") }
      return
    }
    writer.clear()
    writer.copy(JSONElement(tape: tape))
    guard let again = try? second.read(writer.buffer), Self.isSame(tape, again) else {
      throw Violation("what was written does not read as the same value")
    }
  }

  /// The same values under the same keys on two tapes, members in their order.
  private static func isSame(_ left: JSONTape, _ right: JSONTape) -> Bool {
    guard left.count == right.count else { return false }
    return (0..<left.count).allSatisfy { place in
      let kind = left[place].kind
      guard kind == right[place].kind, place == 0 || left.key(place) == right.key(place) else { return false }
      switch kind {
      case .string, .number: return left.text(place) == right.text(place)
      case .array, .object: return left.after(place) == right.after(place)
      default: return true
      }
    }
  }
}
