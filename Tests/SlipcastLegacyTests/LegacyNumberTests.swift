import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastLegacy

@Suite struct LegacyNumberTests {
  /// Hands out a text whose memory ends with it.
  private func with<Value>(_ bytes: [UInt8], _ use: (JSONText) -> Value) -> Value {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    defer { memory.deallocate() }
    for (place, byte) in bytes.enumerated() { memory[place] = byte }
    return use(JSONText(base: UnsafePointer(memory), count: bytes.count, isVerbatim: true))
  }

  private func integer(_ text: String) -> Int64? { with(Array(text.utf8), LegacyNumber.integer) }

  static let numbers: [(text: String, value: Int64)] = [
    ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("007", 7), ("1.0", 1), ("-21.000", -21),
    ("1667294138000", 1_667_294_138_000), ("-1667294138000", -1_667_294_138_000), ("0000000000001", 1),
    ("9007199254740993", 9_007_199_254_740_993), ("502432905404171488", 502_432_905_404_171_488),
    ("9223372036854775807", .max), ("-9223372036854775807", -.max),
  ]

  @Test(arguments: numbers)
  func digitsAreReadExactly(_ text: String, _ value: Int64) {
    #expect(integer(text) == value)
  }

  @Test(arguments: [
    "", "-", "+1", " 1", "1 ", "1.5", "1.", ".0", "1.0x", "1e3", "0x10", "one", "1-", "--1", "9223372036854775808",
    "99999999999999999999", "-9223372036854775809", "166729413800x", "166729413 000", "１", "1,000", "NaN", "null",
  ])
  func anythingElseIsNoNumber(_ text: String) {
    #expect(integer(text) == nil)
  }

  @Test func theLeastIntegerIsReadExactly() {
    #expect(integer("-9223372036854775808") == .min)
  }

  @Test func aSignAndAFractionAreNoNumber() {
    #expect(integer("-.0") == nil)
  }

  @Test(arguments: (0..<50).map(UInt64.init))
  func everyIntegerIsReadAsItIsWritten(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = Int64(bitPattern: random.next()) >> Int64(random.number(0...63))
      if value > .min { #expect(integer("\(value)") == value) }
    }
  }

  @Test(arguments: 0...40)
  func oneByteThatIsNoDigitIsSeenAnywhere(_ count: Int) {
    let digits = (0..<count).map { UInt8(48 + $0 % 10) }
    #expect(with(digits, LegacyNumber.isDigits) == (count > 0))
    for place in 0..<count {
      for byte in UInt8.min...UInt8.max {
        var other = digits
        other[place] = byte
        if with(other, LegacyNumber.isDigits) != (48...57).contains(byte) {
          Issue.record("byte \(byte) at \(place) of \(count)")
        }
      }
    }
  }

  @Test(arguments: ["true", "1"], ["false", "0"])
  func flagsAreReadInBothSpellings(_ yes: String, _ no: String) {
    #expect(with(Array(yes.utf8), LegacyNumber.flag) == true)
    #expect(with(Array(no.utf8), LegacyNumber.flag) == false)
  }

  @Test(arguments: ["", "t", "2", "yes", "True", "FALSE", "truE", "falsE", "01", "true "])
  func otherWordsAreNoFlags(_ text: String) {
    #expect(with(Array(text.utf8), LegacyNumber.flag) == nil)
  }
}
