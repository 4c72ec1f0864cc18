import Foundation
import SlipcastBulk
import SlipcastTestSupport
import Testing

/// A notification of version 1 with one bit flipped, or cut off: one record, converted or rejected; and no secret shown.
///
/// A sample of them, unless `SLIPCAST_THOROUGH=1`.
@Suite struct SingleBitTests {
  static let record: [UInt8] = {
    do {
      return Array(try PrettyJSON.compact(Fixture.named("notifications/did-renew").bytes("v1.json")).utf8)
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Where the key of the secret stands, with its quotes.
  static let key: Range<Int> = {
    let text = String(decoding: record, as: UTF8.self)
    guard let key = text.firstRange(of: "\"password\"") else { fatalError("the record has no secret") }
    let start = text.utf8.distance(from: text.startIndex, to: key.lowerBound)
    return start..<start + text[key].utf8.count
  }()

  static func run(_ bytes: [UInt8]) async throws -> Run { try await Runs.convert(bytes, maySpoilKeys: true) }

  @Test func theRecordIsSound() async throws {
    let run = try await Self.run(Self.record)
    #expect(run.counts.converted == 1 && run.counts.read == 1)
    #expect(String(decoding: Self.record, as: UTF8.self).contains(Sample.secret))
  }

  @Test func aFlippedBitCostsAtMostTheRecord() async throws {
    for bit in Mutants.bits(of: Self.record, every: 79) {
      let bytes = Mutants.flipped(Self.record, bit)
      let run = try await Self.run(bytes)
      // A line feed inside makes two lines of it.
      #expect(bytes[bit / 8] == 0x0A ? run.counts.read >= 1 : run.counts.read == 1, "bit \(bit)")
      guard !Self.key.contains(bit / 8) else { continue }
      #expect(!run.rejectFile.contains(Sample.secret), "bit \(bit % 8) of byte \(bit / 8)")
    }
  }

  @Test func aBeginningIsRejected() async throws {
    for count in Mutants.lengths(of: Self.record, every: 13) where count > 0 {
      let run = try await Self.run(Array(Self.record.prefix(count)))
      #expect(run.counts.read == 1 && run.counts.rejected == 1, "\(count) bytes")
      #expect(!run.rejectFile.contains(Sample.secret), "\(count) bytes")
    }
  }
}
