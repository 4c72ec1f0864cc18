import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Texts whose padding ends where the memory ends: a read behind the padding crashes, and what lies in the padding
/// decides nothing.
@Suite struct GuardedTextTests {
  /// Pages of memory with one behind them that nobody may read.
  private final class GuardedMemory {
    private static let (page, size) = (4096, 16 * 4096)
    private let start: UnsafeMutableRawPointer

    init() throws {
      let memory = mmap(nil, Self.size + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      start = try #require(memory == MAP_FAILED ? nil : memory)
      try #require(mprotect(start + Self.size, Self.page, PROT_NONE) == 0)
    }

    deinit { munmap(start, Self.size + Self.page) }

    /// Lays a text and its padding before the end.
    func hold(_ text: [UInt8], behind padding: [UInt8]) -> UnsafePointer<UInt8> {
      let place = start + (Self.size - text.count - JSONReader.padding)
      let bytes = text + (0..<JSONReader.padding).map { padding[$0 % padding.count] }
      bytes.withUnsafeBytes { place.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(place), byteCount: $0.count) }
      return UnsafePointer(place.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// What a reading gives, as text: the tape, or the fault.
  private static func outcome(_ reader: JSONReader, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
    do throws(JSONError) {
      let tape = try reader.read(bytes, count: count)
      return (0..<tape.count).map { index in
        let (kind, text) = (tape[index].kind, tape[index].kind == .array || tape[index].kind == .object)
        return text ? "\(kind)" : "\(kind) \(tape[index].start) \(tape[index].length)"
      }.joined(separator: ",")
    } catch {
      return "\(error.code) \(error.offset) \(error.path)"
    }
  }

  private static let whole = [
    #"{"a":1,"b":[1,2,{"c":"x\"y"}],"transaction_id":"12"}"#, #"[{"a":null},{"a":true}]"#, "\"abc\"", "12", "-1.5e3",
    "null", "[1,2,3]", "{\"a\":{\"a\":{\"a\":[]}}}", #"{"k\u0041":"\u00e9","k":false}"#, "[[[1]]]", "{\"\":0}",
    "{\"password\":\"0123456789abcdef\",\"bid\":\"com.example\"}",
  ]
  private static let behind = [
    "1", ":", "\"", "{", "[", ",", "}", "]", "e", "\\", "true", "\":1", ",\"a\":", "{\"a\":", "\u{1}", ".", "u0041",
    "l",
  ]

  private func check(_ text: [UInt8], _ memory: GuardedMemory, _ reader: JSONReader) {
    guard !text.isEmpty else { return }
    let expected = Self.outcome(reader, memory.hold(text, behind: [0x20]), text.count)
    for behind in Self.behind {
      let found = Self.outcome(reader, memory.hold(text, behind: Array(behind.utf8)), text.count)
      #expect(found == expected, "\(String(decoding: text, as: UTF8.self)) before \(behind)")
    }
  }

  @Test(arguments: whole)
  func aTextThatIsCutOffAnywhereIsReadToItsEndOnly(_ whole: String) throws {
    let (memory, reader) = (try GuardedMemory(), JSONReader(names: ["a", "password", "transaction_id"]))
    for count in 1...whole.utf8.count { check(Array(whole.utf8.prefix(count)), memory, reader) }
  }

  @Test(arguments: 0..<20)
  func aTextWithDamageIsReadToItsEndOnly(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let (memory, reader) = (try GuardedMemory(), JSONReader(names: ["a", "password", "transaction_id"]))
    for _ in 0..<100 {
      var text =
        Array(String(repeating: " ", count: random.number(0...70)).utf8) + Array(random.one(of: Self.whole).utf8)
      for _ in 0..<random.number(1...3) where !text.isEmpty {
        let place = random.number(0...text.count - 1)
        switch random.number(0...2) {
        case 0: text.removeLast(text.count - place)
        case 1: text.insert(contentsOf: random.one(of: Self.behind).utf8, at: place)
        default: text.remove(at: place)
        }
      }
      check(text, memory, reader)
    }
  }
}
