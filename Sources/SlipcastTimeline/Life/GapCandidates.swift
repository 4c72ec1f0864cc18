internal import SlipcastMapping
internal import SlipcastV2

/// What the archive shows about the event of a gap, in addition to its trace.
struct GapFacts {
  /// The expiration intents of the period, one bit each; 0 where nothing shows one.
  var intents: Int64 = 0
  /// The event came before this time, in milliseconds since 1970 UTC.
  var latest = Int64.max
  /// The event changed no product.
  var keepsProduct = false
}

/// The events that a trace may stand for, with what each needs: one that a visible value contradicts is not possible.
struct GapCandidates {
  private struct One {
    let event: EventName
    /// One bit each; 0 for any.
    let intents: Int64
    /// V2 sends it at these times.
    let times: Range<Int64>
    let changesProduct: Bool
  }

  /// Each event once, the best first.
  let events: [EventName]
  private let all: [One]

  init(_ server: ServerEvent, _ rules: RuleSet) {
    events = server.candidates
    all = server.traced.map { traced in
      let since = traced.since.map { rules.start(ofEra: $0) } ?? .min
      let until = traced.until.map { rules.start(ofEra: $0) } ?? .max
      return One(
        event: traced.event, intents: traced.intents.reduce(0) { $0 | $1.bit }, times: since..<max(since, until),
        changesProduct: traced.changesProduct)
    }
  }

  /// The events that remain, each once.
  ///
  /// - Parameter time: when the event happened, or before which it did not, in milliseconds since 1970 UTC.
  func remaining(at time: Int64, _ facts: GapFacts) -> [EventName] {
    let possible = all.filter { one in
      (one.intents == 0 || facts.intents == 0 || one.intents & facts.intents != 0)
        && one.times.lowerBound < facts.latest && time < one.times.upperBound
        && !(one.changesProduct && facts.keepsProduct)
    }
    return events.filter { event in possible.contains { $0.event == event } }
  }
}

extension Gap {
  /// Removes the candidates that facts contradict; the only one that remains is the event.
  mutating func narrow(by facts: GapFacts) {
    guard decided == nil else { return }
    let remaining = kind.candidates.remaining(at: time, facts)
    guard !remaining.isEmpty, remaining.count < kind.candidates.events.count else { return }
    if remaining.count == 1 { decided = remaining[0] } else { narrowed = remaining }
  }
}

extension ExpirationIntent {
  /// Its place in a set of intents.
  var bit: Int64 { Int64(1) << Int64(rawValue) }
}
