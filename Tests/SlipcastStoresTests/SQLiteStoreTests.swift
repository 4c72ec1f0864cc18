import Foundation
import SlipcastBulk
import Testing

@testable import SlipcastStores

@Suite struct SQLiteStoreTests {
  @Test func aStoreGivesBackEveryLineByteForByteInItsOrder() throws {
    try Samples.withFolder { folder in
      let location = try StoreLocation(folder + "/store.sqlite")
      let lines = (1...3).map { Samples.notification($0) } + [Samples.history, Samples.statuses, Samples.ambiguous(9)]
      let outcome = try Store.open(location, run: Samples.run()).sink.fill(lines)
      #expect(outcome.stored == 6)
      let page = try Store.rows(location).readAll()
      #expect(page.rows.indices.map { page.body($0) } == lines)
    }
  }
}
