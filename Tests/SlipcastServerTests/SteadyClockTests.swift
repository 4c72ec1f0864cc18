import SlipcastBulk
import SlipcastSystem
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
    try await Temporary.file("") { path in
      Platform.remove(path)
      var log = try ForwardLog(path, of: "service", start: 0)
      try log.noteWaiting(ForwardLog.Waiting(number: 1, attempts: 1, time: 9_000_000_000))
      try log.noteWaiting(ForwardLog.Waiting(number: 2, attempts: 2, time: 150))
      try log.noteUndelivered(3)
      log.limitTimes { attempts in 100 + Int64(attempts) * 60 }
      let times = [1, 2].map { log.waiting[$0]?.time }
      #expect(times == [160, 150])
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
