internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastStores

/// The time that an archive covers; records that repeat an event do not widen it.
struct ArchiveCoverage {
  private struct Late {
    var time: Int64
    var partition: Int64
  }

  /// Of so many of the latest records it is looked up whether they repeat an event.
  private static let most = 64
  private(set) var all: ClosedRange<Int64>?
  /// When the latest answer was given: it lists all purchases until then.
  private(set) var answered: Int64?
  /// From the first to the last message among the records that list purchases: a message reports every refund.
  private(set) var messages: ClosedRange<Int64>?
  /// All of those records are messages.
  private(set) var isOfMessages = true
  /// The latest records, the latest last.
  private var latest: [Late] = []

  /// - Parameter answered: when the answer was given that lists it; `nil` for an event.
  mutating func add(_ time: Int64?, in partition: Int64, answered: Int64? = nil) {
    if let answered { self.answered = max(self.answered ?? answered, answered) }
    guard let time else { return }
    all.extend(to: time)
    if latest.count == Self.most {
      guard time > latest[0].time else { return }
      latest.removeFirst()
    }
    let place = latest.firstIndex { time < $0.time } ?? latest.count
    latest.insert(Late(time: time, partition: partition), at: place)
  }

  /// Notes what lists a purchase.
  ///
  /// - Parameter time: of the message or answer.
  mutating func add(listedBy time: Int64?, isMessage: Bool) {
    if isMessage { messages.extend(to: time) } else { isOfMessages = false }
  }

  /// The time without repetitions: an event that came several times came when it came first.
  ///
  /// A repetition is later than its event, so only the end of the time can depend on it.
  func withoutRepetitions(
    in events: SortingSpill, isLegacy: Bool, _ filter: RepetitionFilter, _ view: RecordView
  ) throws -> ClosedRange<Int64>? {
    guard let all, let least = latest.first?.time else { return nil }
    var last = latest.count < Self.most ? all.lowerBound : least
    var seen: Set<Int64> = []
    for late in latest.reversed() where late.time > last && seen.insert(late.partition).inserted {
      var partition = EventPartition()
      try events.forEach(in: late.partition) { _, body in
        if !Sighting.isStored(body), PairEvent.isLegacy(body) == isLegacy {
          partition.add(PairEvent(stored: body, view), isLegacy: isLegacy)
        }
        return !partition.isFull
      }
      filter.begin()
      let side = isLegacy ? partition.legacy : partition.server
      if let time = try filter.lastFirstTime(of: side) { last = max(last, time) }
    }
    return all.lowerBound...max(all.lowerBound, last)
  }
}
