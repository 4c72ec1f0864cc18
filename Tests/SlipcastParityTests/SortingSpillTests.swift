import SlipcastStores
import SlipcastTestSupport
import SlipcastWire
import Testing

/// Items come back partition by partition, each in its order, whatever the order in which they went in and how many fit in
/// memory.
@Suite struct SortingSpillTests {
  /// In memory, in a few runs, and in runs that become runs of two further levels; written by this thread and by another.
  static let spills = [false, true].flatMap { isAside in
    [(1 << 30, 64), (100_000, 64), (2000, 4)].map { (isAside: isAside, memory: $0, runsOfLevel: $1) }
  }

  @Test(arguments: spills)
  func partitionsComeBackWholeAndInOrder(_ isAside: Bool, _ memory: Int, _ runsOfLevel: Int) throws {
    var random = SeededGenerator(seed: 11)
    let spill = SortingSpill(in: SortedSpill(isAside: isAside, memory: memory, runsOfLevel: runsOfLevel))
    var expected: [Int64: [(rank: Int64, body: [UInt8])]] = [:]
    for number in 0..<5000 {
      let partition = Int64(random.number(-150...150)) &* 0x1234_5678_9ABC
      let rank = Int64(random.number(-50...50))
      // Some are empty, and some longer than what is compressed at once.
      let length = number % 500 == 7 ? 100_000 : number % 9
      let body = length == 0 ? [] : Array("item \(number)".utf8) + Array(repeating: UInt8(number % 251), count: length)
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
      var alone: [[UInt8]] = []
      try spill.forEach(in: partition) { _, body in
        alone.append(Array(body))
        return alone.count < 3
      }
      #expect(alone == sorted.prefix(3).map(\.element.body))
    }
    try spill.forEach(in: 1) { _, _ in
      Issue.record("no item has this partition")
      return true
    }
  }

  /// Reading and adding may take turns.
  @Test(arguments: spills)
  func whatIsAddedAfterReadingComesTheNextTime(_ isAside: Bool, _ memory: Int, _ runsOfLevel: Int) throws {
    let spill = SortedSpill(isAside: isAside, memory: memory, runsOfLevel: runsOfLevel)
    for round in 1...3 {
      for number in 0..<500 {
        try spill.add(SpillOrder(UInt64(number % 7), UInt64(number), UInt64(round)), Array("\(number)".utf8).span)
      }
      var orders: [SpillOrder] = []
      try spill.forEach { order, _, _ in
        orders.append(order)
        return true
      }
      #expect(orders.count == 500 * round && orders == orders.sorted())
    }
  }

  @Test func anEmptySpillHandsOutNothing() throws {
    var count = 0
    try SortingSpill().forEach { _, _ in count += 1 }
    #expect(count == 0)
  }
}
