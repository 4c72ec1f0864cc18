import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// The state machine that distinguishes repeated deliveries from separate events, without any records.
@Suite struct EventSequenceTests {
  private static let hour: Int64 = 3_600_000

  private func trace(_ state: UInt64, hour: Int64?, subscription: UInt64 = 7) -> EventTrace {
    var trace = EventTrace()
    (trace.kind, trace.subscription, trace.state) = (.undated, subscription, state)
    trace.receivedAt = hour.map { 1_650_000_000_000 + $0 * Self.hour }
    (trace.high, trace.low) = (subscription, state | 1 << 63)
    return trace
  }

  private func sequence(memory: Int = 32 << 20) -> EventSequence {
    let lengths = RepeatWindows.Lengths(delivery: 80 * Self.hour, firstRetry: 6 * Self.hour)
    return EventSequence(RepeatWindows(lengths), memory: memory)
  }

  /// The edge of `decision.window.firstRetry`, which is the same in the Sandbox: Apple repeats nothing there.
  @Test(arguments: [(-1, 1), (0, 0), (1, 0)])
  func anEqualMessageThatComesBeforeTheFirstRetryIsAnother(_ seconds: Int64, _ ordinal: Int) throws {
    let rules = BuiltIn.rules
    #expect(rules.window(.firstRetry).milliseconds == rules.window(.firstRetry).sandbox)
    let sequence = EventSequence(RepeatWindows(rules))
    var message = trace(1, hour: 0)
    (message.kind, message.content) = (.retried, 9)
    #expect(try sequence.settle(message).ordinal == 0)
    message.receivedAt = message.receivedAt.map { $0 + rules.window(.firstRetry).milliseconds + seconds * 1000 }
    let outcome = try sequence.settle(message)
    #expect(outcome.ordinal == ordinal && outcome.isDuplicate == (ordinal == 0))
  }

  /// The edge of `decision.window.delivery`, in each environment.
  @Test(arguments: [false, true], [-1, 0, 1])
  func anEqualMessageThatComesAfterTheLastRetryIsAnother(_ isSandbox: Bool, _ seconds: Int64) throws {
    let rules = try RuleSet.builtIn()
    let window = isSandbox ? rules.window(.delivery).sandbox : rules.window(.delivery).milliseconds
    for kind in [EventTrace.Kind.undated, .request] {
      let sequence = EventSequence(RepeatWindows(rules))
      var message = trace(1, hour: 0)
      (message.kind, message.content, message.isSandbox) = (kind, 9, isSandbox)
      #expect(try sequence.settle(message).ordinal == 0)
      message.receivedAt = message.receivedAt.map { $0 + window + seconds * 1000 }
      let outcome = try sequence.settle(message)
      #expect(outcome.isDuplicate == (seconds <= 0), "\(kind)")
      #expect(outcome.ordinal == (seconds <= 0 ? 0 : 1), "\(kind)")
    }
  }

  /// A run that goes on reads the traces of the earlier one, and traces of older versions, which name no environment.
  @Test func aTraceKeepsItsEnvironmentInTheLog() {
    var traces = [trace(1, hour: 0), trace(2, hour: nil)]
    traces[0].isSandbox = true
    var bytes: [UInt8] = []
    for trace in traces { trace.write(to: &bytes) }
    #expect(bytes.count == 2 * EventTrace.entryBytes)
    #expect(EventTrace.all(in: bytes[...]) == traces)
    bytes[1] = 0
    #expect(EventTrace.all(in: bytes[...]).map(\.isSandbox) == [false, false])
  }

  @Test func whatTheTableForgetsInMemoryItKeepsInAFile() throws {
    let (small, large) = (sequence(memory: 0), sequence())
    for round in 0..<3 {
      for subscription in 1..<UInt64(2000) {
        let next = trace(UInt64(1 + round % 2), hour: nil, subscription: subscription)
        let (one, two) = (try small.settle(next), try large.settle(next))
        #expect(one == two)
        let expected = round == 2 ? 1 : 0
        #expect(one.ordinal == expected)
      }
    }
  }

  @Test func aLaterRunReadsWhatAnEarlierOneHadWithoutNewEvents() throws {
    let messages = [trace(1, hour: 0), trace(2, hour: 1), trace(1, hour: 2)]
    let sequence = sequence()
    for _ in 0..<3 {
      for message in messages { try sequence.recall(message) }
      sequence.beginRun()
    }
    let again = try messages.map(sequence.settle)
    #expect(again.map(\.ordinal) == [0, 0, 1])
    #expect(again.map(\.isOfEarlierRun) == [true, true, true])
    let more = try [trace(1, hour: 2), trace(2, hour: 3)].map(sequence.settle)
    #expect(more.map(\.ordinal) == [1, 1])
    #expect(more.map(\.isDuplicate) == [true, false])
    #expect(more.map(\.isOfEarlierRun) == [false, false])
  }

  /// Without received times only their number distinguishes equal messages of two runs.
  @Test func ofEqualMessagesWithoutATimeTheSurplusIsNew() throws {
    let sequence = sequence()
    for state: UInt64 in [1, 2, 1] { try sequence.recall(trace(state, hour: nil)) }
    sequence.beginRun()
    let later = try [1, 2, 1, 2, 1].map { try sequence.settle(trace($0, hour: nil)) }
    #expect(later.map(\.ordinal) == [0, 0, 1, 1, 2])
    #expect(later.map(\.isOfEarlierRun) == [true, true, true, false, false])
  }

  @Test func endlessChangesOfOneSubscriptionCostNoMoreThanTheLastOnes() throws {
    let sequence = sequence()
    var events = 0
    for number in 0..<20_000 {
      if try !sequence.settle(trace(UInt64(1 + number % 3), hour: Int64(number))).isDuplicate { events += 1 }
    }
    #expect(events == 20_000)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
  func theOrderOfArrivalDoesNotMatterWhereTheMessageBetweenIsNotTheLast(_ order: [Int]) throws {
    let messages = [trace(1, hour: 0), trace(2, hour: 1), trace(1, hour: 2)]
    let sequence = sequence()
    var ids: Set<KnownIDs.ID> = []
    for place in order {
      let message = messages[place]
      ids.insert(sequence.id(message, ordinal: try sequence.settle(message).ordinal))
    }
    #expect(ids.count == 3)
  }

  @Test func onlyTheMessageThatComesTooLateIsReported() throws {
    let sequence = sequence()
    let outcomes = try [trace(1, hour: 0), trace(1, hour: 2), trace(2, hour: 1), trace(2, hour: 3)].map(sequence.settle)
    #expect(outcomes.map(\.ordinal) == [0, 0, 0, 1])
    #expect(outcomes.map(\.isDuplicate) == [false, true, false, false])
    #expect(outcomes.map(\.liesBetween) == [false, false, true, false])
  }

  @Test func subscriptionsDoNotTouchEachOther() throws {
    let sequence = sequence()
    let messages = [
      trace(1, hour: 0, subscription: 1), trace(2, hour: 1, subscription: 2), trace(1, hour: 2, subscription: 1),
    ]
    #expect(try messages.map(sequence.settle).map(\.isDuplicate) == [false, false, true])
  }

  @Test func aDatedMessageOfAnUnknownSubscriptionIsNotRemembered() throws {
    let sequence = sequence()
    var dated = trace(1, hour: 0)
    dated.kind = .dated
    #expect(!sequence.concerns(dated))
    _ = try sequence.settle(trace(2, hour: 1))
    #expect(sequence.concerns(dated))
  }

  @Test(arguments: [Int64.min + 1, -1, 0, Int64.max])
  func noReceivedTimeOverflows(_ time: Int64) throws {
    let sequence = sequence()
    let states: [UInt64] = [1, 2, 1]
    for state in states {
      var message = trace(state, hour: 0)
      message.receivedAt = time
      _ = try sequence.settle(message)
    }
  }

  @Test func entriesOfTheLogComeBack() {
    let traces = [trace(1, hour: 0), trace(2, hour: nil)]
    var bytes: [UInt8] = []
    for trace in traces { trace.write(to: &bytes) }
    #expect(EventTrace.all(in: bytes[...]) == traces)
    #expect(EventTrace.all(in: bytes.dropLast()) == [traces[0]])
  }
}
