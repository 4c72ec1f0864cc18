import Foundation
import SlipcastLegacy
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// JSON text: Slipcast's reader beside Foundation's, and a text that is written and read again.
  static let json = FuzzTarget(
    name: "json",
    summary: "JSON text is read as Foundation reads it; what was read is written and read again without a change",
    seeds: {
      try Seeds.files(
        ["notifications", "receipts", "rejects"], named: ["v1.json", "input.json", "input.ndjson"], most: 40)
        + ["[]", "{}", #"{"a":[1,-2.5e3,true,null,"\u00e9\ud83d\ude00"],"a":{}}"#].map { Array($0.utf8) }
    },
    words: [
      "\\u0000", "\\ud83d", "\\ude00", "\u{FEFF}", "1e400", "-0", "9223372036854775808", "true", "false", "null",
    ],
    make: {
      let names = LegacyKey.names
      return { bytes in try read(Array(bytes), names) }
    })

  private static func read(_ bytes: [UInt8], _ names: [String]) throws {
    switch Result(catching: { () throws(JSONError) in try ReadText(bytes, names: names) }) {
    case .success(let text): try requireSameReading(text, bytes)
    case .failure(let error):
      guard (0...bytes.count).contains(error.offset) else { throw Violation("an error's place lies outside the text") }
      if !FoundationJSON.mayRead(bytes, refusedFor: error), FoundationJSON.value(bytes) != nil {
        throw Violation("Foundation reads what is refused: \(error.reason)")
      }
    }
  }

  private static func requireSameReading(_ text: ReadText, _ bytes: [UInt8]) throws {
    if let value = FoundationJSON.value(bytes) {
      guard FoundationJSON.isSame(text.root, value) else { throw Violation("the value is not Foundation's") }
    } else if !FoundationJSON.refusesMore(text.root) {
      throw Violation("Foundation refuses what is read")
    }
    let writer = JSONWriter(capacity: 64)
    writer.copy(text.root)
    guard let again = try? ReadText(writer.buffer), isSame(text.root, again.root) else {
      throw Violation("what was written does not read as the same value")
    }
  }

  /// The same value on two tapes, members in their order.
  private static func isSame(_ left: JSONElement, _ right: JSONElement) -> Bool {
    guard left.kind == right.kind else { return false }
    switch left.kind {
    case .string: return left.tape.text(left.index) == right.tape.text(right.index)
    case .number: return left.json == right.json
    case .array, .object:
      let (mine, others) = (left.children, right.children)
      return mine.count == others.count
        && zip(mine, others).allSatisfy { one, other in
          (left.kind == .array || one.tape.key(one.index) == other.tape.key(other.index)) && isSame(one, other)
        }
    default: return true
    }
  }
}
