import SlipcastStores
import SlipcastTestSupport
import SlipcastWire
import Testing

/// Items come back partition by partition, each in its order, whatever the order in which they went in.
@Suite struct SortingSpillTests {
  @Test func partitionsComeBackWholeAndInOrder() throws {
    var random = SeededGenerator(seed: 11)
    let spill = try SortingSpill()
    var expected: [Int64: [(rank: Int64, body: [UInt8])]] = [:]
    for number in 0..<5000 {
      let partition = Int64(random.number(0...300)) &* 0x1234_5678_9ABC
      let rank = Int64(random.number(-50...50))
      let body = Array("item \(number)".utf8)
      try spill.add(SortingSpill.Key(partition: partition, rank: rank), body.span)
      expected[partition, default: []].append((rank, body))
    }
    var found: [Int64: [(rank: Int64, body: [UInt8])]] = [:]
    var last: Int64?
    try spill.forEach { key, body in
      if key.partition != last { #expect(found[key.partition] == nil, "a partition comes in two parts") }
      last = key.partition
      found[key.partition, default: []].append((key.rank, Array(body)))
    }
    #expect(spill.count == 5000)
    #expect(Set(found.keys) == Set(expected.keys))
    for (partition, items) in expected {
      // Equal ranks keep the order in which they went in.
      let sorted = items.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      #expect(found[partition]?.map(\.body) == sorted.map(\.element.body))
    }
  }

  @Test func anEmptySpillHandsOutNothing() throws {
    var count = 0
    try SortingSpill().forEach { _, _ in count += 1 }
    #expect(count == 0)
  }
}
