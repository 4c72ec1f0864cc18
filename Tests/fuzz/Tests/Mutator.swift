import SlipcastTestSupport

/// Changes inputs as a fuzzer does, and in the same way each time.
struct Mutator {
  private var random: SeededGenerator
  private let words: [[UInt8]]

  init(seed: UInt64, words: [String]) {
    random = SeededGenerator(seed: seed)
    self.words = words.isEmpty ? [[0]] : words.map { Array($0.utf8) }
  }

  /// The input with one to three changes.
  mutating func mutated(_ input: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var bytes = input
    for _ in 0..<random.number(1...3) where !bytes.isEmpty {
      let place = random.number(0...bytes.count - 1)
      let piece = place..<min(bytes.count, place + random.number(1...40))
      switch random.number(0...5) {
      case 0: bytes[place] ^= 1 << UInt8(random.number(0...7))
      case 1: bytes.removeSubrange(piece)
      case 2: bytes.insert(contentsOf: bytes[piece], at: place)
      case 3: bytes.replaceSubrange(piece, with: random.one(of: words))
      case 4: bytes.insert(contentsOf: random.one(of: words), at: place)
      default: bytes.replaceSubrange(piece, with: other.dropFirst(random.number(0...other.count)).prefix(piece.count))
      }
    }
    return bytes
  }
}
