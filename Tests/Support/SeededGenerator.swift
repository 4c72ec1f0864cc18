/// Random numbers that come again with the same seed (splitmix64), so that a failure of a property can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number of a range.
  package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// One of some values.
  package mutating func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }

  /// The bytes with a single one changed.
  package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    bytes[number(0...bytes.count - 1)] = UInt8(number(0...255))
    return bytes
  }
}
