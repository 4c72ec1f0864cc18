/// A small seeded generator (SplitMix64 of Steele, Lea and Flood, 2014): the same numbers on every machine.
///
/// The standard library's own ways to draw numbers may change between versions, and with them the bytes that are
/// measured; so numbers are drawn here.
struct RandomSource {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 to `bound - 1`.
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  mutating func isOne(in times: Int) -> Bool { below(times) == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
}
