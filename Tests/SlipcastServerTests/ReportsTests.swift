import Foundation
import SlipcastBulk
import SlipcastHTTP
import SlipcastTestSupport
import Testing

@testable import SlipcastServer

/// What `/healthz` says while deliveries go on.
@Suite struct ReportsTests {
  private struct Health: Decodable {
    var converted: Int
    var undelivered: [String: Int]
  }

  @Test func healthCountsEveryEventThatATargetHas() async throws {
    try await Temporary.file("") { path in
      let (counters, state) = (Shared(Counters()), Shared(DeliveryState(name: MaskedName(path: "target"))))
      let journal = try Journal("\(path).journal", recordBytes: 1_000) { _ in }
      defer { try? FileManager.default.removeItem(atPath: "\(path).journal") }
      let reports = Reports(journal: journal, counters: counters, targets: [state])
      // A delivery changes the counters, then its state. A thread: tests that run beside it cannot hold it up.
      let delivery = Thread {
        for number in 1... {
          counters.change { $0.converted = number }
          state.change { $0.undelivered = number }
          if Thread.current.isCancelled { return }
        }
      }
      delivery.start()
      defer { delivery.cancel() }
      while state.now.undelivered == 0 {}
      for _ in 0..<2_000 {
        let answer = try #require(reports.answer("/healthz"))
        let health = try JSONDecoder().decode(Health.self, from: Data(answer.body))
        #expect(health.undelivered["target", default: 0] <= health.converted)
      }
    }
  }
}
