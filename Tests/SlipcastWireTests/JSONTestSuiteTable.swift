import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

/// `Tests/end-to-end/conformance/JSONTestSuite.md`: counts, every case that the standard leaves open, and what is
/// kept of values.
enum JSONTestSuiteTable {
  static let suite = ForeignSuite.json
  /// The suite's second folder, next to the first.
  static let values = suite.root.map { $0.deletingLastPathComponent().appendingPathComponent("test_transform") }

  static func text() throws -> String {
    """
    # JSONTestSuite

    What Slipcast's reader of JSON (`SlipcastWire`, over simdjson) does with Nicolas Seriot's JSONTestSuite. A file whose
    name begins with `y_` is JSON by RFC 8259, one with `n_` is not, and of one with `i_` the standard leaves it open.

    `SLIPCAST_JSONTESTSUITE=…/test_parsing swift test --filter JSONTestSuite` compares this page with the reader;
    `RECORD=1` rewrites it.


    """ + (try counts()) + "\n## What the standard leaves open\n\n" + (try open())
      + "\n## What is kept of values\n\nThe suite's folder `test_transform`. A text that is taken is kept as it stands.\n\n"
      + (try kept())
  }

  private static func counts() throws -> String {
    try ["y_", "n_", "i_"].reduce(ConformanceTable.head("files", "number", "taken", "refused")) { table, prefix in
      let names = suite.names(prefix)
      let taken = try names.count { JSONTestSuiteTests.fault(try suite.bytes($0)) == nil }
      return table + ConformanceTable.row("`\(prefix)`", "\(names.count)", "\(taken)", "\(names.count - taken)")
    }
  }

  private static func open() throws -> String {
    try suite.names("i_").reduce(ConformanceTable.head("file", "Slipcast", "why")) { table, name in
      let fault = JSONTestSuiteTests.fault(try suite.bytes(name))
      let verdict = fault.map { "refused: \($0.code) at byte \($0.offset)" } ?? "taken"
      return table + ConformanceTable.row("`\(name)`", verdict, reason(name, fault))
    }
  }

  /// Why a case ends so, from the choices that the reader makes.
  private static func reason(_ name: String, _ fault: JSONError?) -> String {
    switch fault?.reason {
    case nil where name.contains("number"): "a number keeps its digits; what needs a value of it says whether it fits"
    case nil: "no choice is stated for this"
    case .utf8: "RFC 8259 section 8.1 demands UTF-8"
    case .escape: "half a surrogate pair is not a character and has no UTF-8"
    case .tooDeep(let limit): "\(limit) levels are the limit; Apple's records need four"
    case .controlCharacter where name.contains("16"): "RFC 8259 section 8.1 demands UTF-8; of UTF-16 a byte is 0"
    case .syntax where name.contains("BOM"): "the mark is not part of a record; sources remove it"
    default: "no choice is stated for this"
    }
  }

  private static func kept() throws -> String {
    guard let values else { return "" }
    return try Folder.names(values.path).reduce(ConformanceTable.head("file", "Slipcast")) { table, name in
      let bytes = Array(try Data(contentsOf: values.appendingPathComponent(name)))
      return table + ConformanceTable.row("`\(name)`", outcome(bytes))
    }
  }

  private static func outcome(_ bytes: [UInt8]) -> String {
    do throws(JSONError) {
      let read = try ReadText(bytes)
      let writer = JSONWriter()
      writer.copy(read.root)
      let hasTwins = (0..<read.tape.count).contains { read.tape[$0].hasDuplicateInside }
      return (hasTwins ? "taken, marked as holding a key twice: " : "taken: ") + "`\(ascii(writer.string))`"
    } catch {
      return "refused: \(error.code) at byte \(error.offset)"
    }
  }

  /// A text that makes accents and the like visible.
  private static func ascii(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? String($0) : "⟨U+\(String($0.value, radix: 16, uppercase: true))⟩" }.joined()
  }
}
