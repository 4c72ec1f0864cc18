/// Broken bytes that come again with the same seed.
package struct SeededBytes {
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The bytes with a single one changed.
  package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    bytes[random.number(0...bytes.count - 1)] = UInt8(random.number(0...255))
    return bytes
  }
}
