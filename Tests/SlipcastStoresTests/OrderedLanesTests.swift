import SlipcastBulk
import Synchronization
import Testing

@testable import SlipcastStores

/// Several threads work on pieces: the results come in the order of the pieces, and so do errors.
@Suite struct OrderedLanesTests {
  private struct Fault: Error, Equatable { var place: Int }

  private final class Worker { var seen: [Int] = [] }

  @Test(arguments: [1, 2, 5], [0, 1, 3, 200])
  func resultsComeOnceAndInTheOrderOfTheirPieces(_ workers: Int, _ count: Int) throws {
    var found: [Int] = []
    let lanes = OrderedLanes((0..<workers).map { _ in Worker() }) { (_, piece: Int) in
      // The first pieces take longest.
      var sum = 0
      for number in 0..<(count - piece) * 100 { sum &+= number }
      return piece + (sum < 0 ? 1 : 0)
    } take: {
      found.append($0)
    }
    for piece in 0..<count { try lanes.add(piece, after: false) }
    try lanes.finish()
    #expect(found == Array(0..<count))
  }

  @Test func aPieceThatGoesOnStaysWithItsWorker() throws {
    let workers = (0..<3).map { _ in Worker() }
    let lanes = OrderedLanes(workers) { (worker, piece: Int) in
      worker.seen.append(piece)
    } take: { _ in
    }
    for piece in 0..<60 { try lanes.add(piece, after: piece % 10 != 0) }
    try lanes.finish()
    for worker in workers {
      #expect(worker.seen == worker.seen.sorted())
      #expect(Set(worker.seen.map { $0 / 10 }).count == 2)
    }
    #expect(workers.flatMap(\.seen).sorted() == Array(0..<60))
  }

  @Test(arguments: [1, 2, 4], [0, 7, 50])
  func aFaultComesAfterWhatWasBeforeIt(_ workers: Int, _ place: Int) {
    var found: [Int] = []
    #expect(throws: Fault(place: place)) {
      let lanes = OrderedLanes((0..<workers).map { _ in Worker() }) { (_, piece: Int) in
        if piece == place { throw Fault(place: piece) }
        return piece
      } take: {
        found.append($0)
      }
      for piece in 0..<100 { try lanes.add(piece, after: false) }
      try lanes.finish()
    }
    #expect(found == Array(0..<place))
  }

  @Test func fewResultsWait() throws {
    let made = Mutex(0)
    var (taken, most) = (0, 0)
    let lanes = OrderedLanes([Worker(), Worker()]) { (_, piece: Int) in
      made.withLock { $0 += 1 }
      return piece
    } take: { _ in
      taken += 1
    }
    for piece in 0..<200 {
      try lanes.add(piece, after: false)
      most = max(most, made.withLock { $0 } - taken)
    }
    try lanes.finish()
    #expect(most <= 5 && taken == 200)
  }
}

/// The events of a store in pieces: whole subscriptions, as far as they are not very long.
@Suite struct EventPiecesTests {
  private static func event(_ place: Int, of id: String?, bytes: Int = 10) -> StoredEvent {
    StoredEvent(
      place: Int64(place), originalTransactionId: id, notification_type: nil, eventTime: nil, receivedAt: nil,
      body: [UInt8](repeating: 0, count: bytes))
  }

  private static func pieces(of events: [StoredEvent]) throws -> [(piece: EventPiece, isNext: Bool)] {
    var found: [(piece: EventPiece, isNext: Bool)] = []
    var pieces = EventPieces { found.append(($0, $1)) }
    for event in events { try pieces.add(event) }
    try pieces.finish()
    return found
  }

  @Test func noEventsAreNoPiece() throws { #expect(try Self.pieces(of: []).isEmpty) }

  @Test func subscriptionsStayWhole() throws {
    let events = (0..<4000).map { Self.event($0, of: "\($0 / 7)") }
    let found = try Self.pieces(of: events)
    #expect(found.count > 5 && found.allSatisfy { $0.piece.isWhole && !$0.isNext })
    #expect(found.flatMap { $0.piece.events.map(\.place) } == events.map(\.place))
    let names = found.map { Set($0.piece.events.map(\.originalTransactionId)) }
    #expect(zip(names, names.dropFirst()).allSatisfy { $0.isDisjoint(with: $1) })
  }

  @Test func aVeryLongSubscriptionIsDividedAndGoesOn() throws {
    let events = (0..<9000).map { Self.event($0, of: "long") } + [Self.event(9000, of: "next")]
    let found = try Self.pieces(of: events)
    #expect(found.count > 3 && found[1].isNext)
    #expect(found.flatMap { $0.piece.events.map(\.place) } == events.map(\.place))
    for (one, two) in zip(found, found.dropFirst()) { #expect(two.isNext == !one.piece.isWhole) }
  }

  @Test func eventsWithoutASubscriptionBelongToNone() throws {
    let found = try Self.pieces(of: (0..<2000).map { Self.event($0, of: nil) })
    #expect(found.count > 3 && found.allSatisfy { $0.piece.isWhole && !$0.isNext && $0.piece.events.count <= 256 })
  }

  @Test func bytesCountToo() throws {
    let found = try Self.pieces(of: (0..<8).map { Self.event($0, of: "\($0)", bytes: 300 << 10) })
    #expect(found.count == 8)
  }
}
