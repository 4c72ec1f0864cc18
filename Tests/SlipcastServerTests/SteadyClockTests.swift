import SlipcastBulk
import SlipcastTestSupport
import Synchronization
import Testing

@testable import SlipcastServer

/// The system's clock may be set while retries are scheduled.
@Suite struct SteadyClockTests {
  @Test func onlyElapsedTimeMovesIt() {
    let elapsed = Mutex(5.0)
    // The system's clock is asked once, so it may be set afterwards.
    let clock = SteadyClock(wall: 1_700_000_000_000) { elapsed.withLock { $0 } }
    #expect(clock.milliseconds == 1_700_000_000_000)
    elapsed.withLock { $0 = 7.5 }
    #expect(clock.milliseconds == 1_700_000_002_500 && clock.seconds == 1_700_000_002)
  }

  @Test func timesFromAClockThatWasAheadAreLimited() async throws {
    try await Temporary.file("p 3\nw 1 1 9000000000\nw 2 2 150\nu 3\n") { path in
      var log = try ForwardLog(path, start: 0)
      log.limitTimes { attempts in 100 + Int64(attempts) * 60 }
      let times = [1, 2].map { log.waiting[$0]?.time }
      #expect(times == [160, 150])
    }
  }

  @Test func anIncompleteLineIsNotRead() async throws {
    try await Temporary.file("p 12\nu 12\nu 1") { path in
      let log = try ForwardLog(path, start: 0)
      let undelivered = log.undelivered
      #expect(undelivered == [12])
    }
  }
}

/// Waiting for work.
@Suite struct WakeUpTests {
  @Test func aSignalEndsTheWaitThatRunsOrTheNextOne() {
    let wakeUp = WakeUp()
    for _ in 0..<100_000 { wakeUp.signal() }
    var begin = Platform.seconds()
    wakeUp.wait(20)
    #expect(Platform.seconds() - begin < 10)
    // All signals are one.
    begin = Platform.seconds()
    wakeUp.wait(0.05)
    #expect(Platform.seconds() - begin >= 0.04)
  }
}
