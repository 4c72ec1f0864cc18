import Synchronization
import Testing

@testable import SlipcastStores

/// One thread reads, another one uses: the same items, the same errors.
@Suite struct ReadAheadTests {
  private struct Fault: Error, Equatable { var place: Int }

  @Test(arguments: [false, true], [0, 1, 255, 256, 257, 5000])
  func itemsComeOnceAndInTheirOrder(_ isAside: Bool, _ count: Int) throws {
    var found: [Int] = []
    try ReadAhead.forEach(isAside: isAside, size: { _ in 1 }) { take in
      for item in 0..<count { try take(item) }
    } use: {
      found.append($0)
    }
    #expect(found == Array(0..<count))
  }

  @Test(arguments: [false, true], [0, 10, 256, 3000])
  func aFaultOfTheReaderComesAfterWhatItRead(_ isAside: Bool, _ place: Int) {
    var found = 0
    #expect(throws: Fault(place: place)) {
      try ReadAhead.forEach(isAside: isAside, size: { _ in 1 }) { take in
        for item in 0..<place { try take(item) }
        throw Fault(place: place)
      } use: { (_: Int) in
        found += 1
      }
    }
    #expect(found == place)
  }

  @Test(arguments: [false, true], [0, 10, 256, 3000])
  func aFaultOfTheUserEndsTheReading(_ isAside: Bool, _ place: Int) {
    let read = Mutex(0)
    #expect(throws: Fault(place: place)) {
      try ReadAhead.forEach(isAside: isAside, size: { _ in 1 }) { take in
        for item in 0..<1_000_000 {
          read.withLock { $0 = item }
          try take(item)
        }
      } use: { item in
        if item == place { throw Fault(place: item) }
      }
    }
    // A few pieces ahead, and no more.
    #expect(read.withLock { $0 } < place + 256 * 8)
  }

  /// Few large items wait, not as many as of small ones.
  @Test func memoryIsBounded() throws {
    let read = Mutex(0)
    var most = 0
    try ReadAhead.forEach(isAside: true, size: { _ in 1 << 20 }) { take in
      for item in 0..<200 {
        read.withLock { $0 = item }
        try take(item)
      }
    } use: { item in
      most = max(most, read.withLock { $0 } - item)
    }
    #expect(most <= 8)
  }
}
