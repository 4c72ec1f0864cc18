/// The order of requests, and which are sent twice.
package struct ReplayPlan: Sendable {
  /// The order in which bodies are sent.
  package enum Order: String, CaseIterable, Sendable { case original, shuffled, reversed }

  /// Indices of bodies; those that are sent twice appear twice.
  package let indices: [Int32]

  /// - Parameters:
  ///   - duplicates: the share of bodies that are sent twice, 0 to 1.
  ///   - seed: what the random choices depend on.
  package init(count: Int, order: Order, duplicates: Double, seed: UInt64) {
    var chance = SeededNumbers(seed)
    var indices: [Int32] = []
    indices.reserveCapacity(count)
    let most = UInt64((duplicates * Double(1 << 53)).rounded())
    for index in 0..<Int32(count) {
      indices.append(index)
      if chance.next() >> 11 < most { indices.append(index) }
    }
    switch order {
    case .original: break
    case .reversed: indices.reverse()
    case .shuffled: indices.shuffle(using: &chance)
    }
    self.indices = indices
  }
}

/// Random numbers that depend on a seed only (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
