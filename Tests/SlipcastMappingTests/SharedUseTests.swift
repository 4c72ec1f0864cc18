import Foundation
import SlipcastKit
import SlipcastTestSupport
import Testing

/// One converter and one comparer for many tasks at the same time.
@Suite struct SharedUseTests {
  private static func records() throws -> [[UInt8]] {
    try ["price-increase-consent-0", "did-renew"].map { try Fixture.named("notifications/\($0)").bytes("v1.json") }
  }

  @Test func tasksThatShareAConverterGetWhatOneTaskGets() async throws {
    let (converter, records) = (try LegacyConverter(), try Self.records())
    #expect(records.count > 1)
    let expected = try records.map { try converter.convert($0).json }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<25 {
            let place = (task + round) % records.count
            let json = try converter.convert(records[place]).json
            #expect(json == expected[place])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func tasksThatShareAComparerGetWhatOneTaskGets() async throws {
    let comparer = try RecordComparer()
    let pairs = try ["price-consent-1-v2-1", "date-expires-off-1-day"].map { name in
      let pair = Fixture.named("pairs/\(name)")
      return (v1: try pair.bytes("v1.json"), v2: try pair.bytes("v2.json"))
    }
    let expected = try pairs.map { try comparer.compare(legacy: $0.v1, server: $0.v2) }
    #expect(expected[0] != expected[1])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<10 {
            let place = (task + round) % pairs.count
            let comparison = try comparer.compare(legacy: pairs[place].v1, server: pairs[place].v2)
            #expect(comparison == expected[place])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// A failed record leaves nothing behind for the next one.
  @Test func aRecordAfterAFailedOneIsConvertedAsAlways() throws {
    let (converter, records) = (try LegacyConverter(), try Self.records())
    let expected = try converter.convert(records[0]).json
    for broken in ["", "{", "[]", #"{"notification_type":7}"#] {
      #expect(throws: RecordError.self) { try converter.convert(broken) }
      #expect(try converter.convert(records[0]).json == expected)
    }
  }

  @Test func bytesDataAndTextAreTheSame() throws {
    let bytes = try Fixture.named("pairs/price-consent-1-v2-1").bytes("v1.json")
    let server = try Fixture.named("pairs/price-consent-1-v2-1").bytes("v2.json")
    let (converter, comparer) = (try LegacyConverter(), try RecordComparer())
    let text = String(decoding: bytes, as: UTF8.self)
    let expected = try converter.convert(bytes)
    #expect(try converter.convert(Data(bytes)) == expected)
    #expect(try converter.convert(text) == expected)
    let comparison = try comparer.compare(legacy: bytes, server: server)
    #expect(try comparer.compare(legacy: Data(bytes), server: Data(server)) == comparison)
    #expect(try comparer.compare(legacy: text, server: String(decoding: server, as: UTF8.self)) == comparison)
  }

  @Test func aDateIsTheSameAsItsTimestamp() throws {
    let bytes = try Fixture.named("notifications/price-increase-consent-0").bytes("v1.json")
    let converter = try LegacyConverter()
    let date = Date(timeIntervalSince1970: 1_659_000_000.123)
    let expected = try converter.convert(bytes, receivedAt: Timestamp(milliseconds: 1_659_000_000_123))
    #expect(try converter.convert(bytes, receivedAt: date) == expected)
    #expect(expected.notification?.signedDate?.date == date)
  }

  static let dates: [(Date, Int64)] = [
    (Date(timeIntervalSince1970: -1.5), -1500), (Date(timeIntervalSince1970: 1e30), .max),
    (Date(timeIntervalSince1970: -1e30), .min), (Date(timeIntervalSince1970: 0.0009), 0),
  ]

  @Test(arguments: dates)
  func everyDateHasATimestamp(_ date: Date, _ milliseconds: Int64) {
    #expect(Timestamp(date).milliseconds == milliseconds)
  }

  @Test func anErrorHasItsPlace() throws {
    let converter = try LegacyConverter()
    do throws(RecordError) {
      _ = try converter.convert(#"{"notification_type":"DID_RENEW","#)
      Issue.record("broken JSON was converted")
    } catch {
      guard case .json(let fault) = error else { return #expect(Bool(false), "\(error)") }
      #expect(error.offset == fault.offset && error.offset > 0)
      #expect(error.description == fault.description)
    }
  }
}
