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

  /// The secret is in a reject, as text or in base64.
  static func shows(_ run: Run) -> Bool {
    run.rejects.contains { reject in
      let input = String(decoding: reject.input, as: UTF8.self)
      return input.contains(Sample.secret) || reject.description.contains(Sample.secret)
    } || run.rejectFile.contains(Sample.secret)
  }

  @Test func theRecordIsSound() async throws {
    let run = try await Self.run(Self.record)
    #expect(run.counts.converted == 1 && run.counts.read == 1)
    #expect(String(decoding: Self.record, as: UTF8.self).contains(Sample.secret))
  }

  @Test func aFlippedBitCostsAtMostTheRecord() async throws {
    for bit in Mutants.bits(of: Self.record, every: 79) {
      let bytes = Mutants.flipped(Self.record, bit)
      let run = try await Self.run(bytes)
      // A line feed inside makes two lines of it; a bracket at its beginning makes an array of its members.
      let isOne = bytes[bit / 8] != 0x0A && bytes[0] != UInt8(ascii: "[")
      #expect(isOne ? run.counts.read == 1 : run.counts.read >= 1, "bit \(bit)")
      guard !Self.key.contains(bit / 8) else { continue }
      #expect(!Self.shows(run), "bit \(bit % 8) of byte \(bit / 8)")
    }
  }

  @Test func aBeginningIsRejected() async throws {
    for count in Mutants.lengths(of: Self.record, every: 13) where count > 0 {
      let run = try await Self.run(Array(Self.record.prefix(count)))
      #expect(run.counts.read == 1 && run.counts.rejected == 1, "\(count) bytes")
      #expect(!Self.shows(run), "\(count) bytes")
    }
  }
}
