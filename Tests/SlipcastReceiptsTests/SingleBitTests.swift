import SlipcastSignatures
import SlipcastTestSupport
import Testing

@testable import SlipcastReceipts

/// Every beginning of signed records, and every record with one bit flipped: not trusted, or it says the very same.
///
/// A sample of them, unless `SLIPCAST_THOROUGH=1`: then all, and `Tests/end-to-end/conformance/bits.md` is compared.
@Suite struct SingleBitTests {
  /// What was tried, and what of it is trusted still, by the parts in which it stands.
  struct Tally: Sendable {
    var tried = 0
    var trusted: [String: Int] = [:]
  }

  static func flips(_ sample: SignedSample) throws -> Tally {
    let verifier = sample.verifier
    let whole = try #require(try sample.trusted(sample.bytes, verifier), "the unchanged record is trusted")
    var tally = Tally()
    for bit in Mutants.bits(of: sample.bytes, every: 53) {
      tally.tried += 1
      guard let trusted = try sample.trusted(Mutants.flipped(sample.bytes, bit), verifier) else { continue }
      #expect(trusted == whole, "bit \(bit % 8) of byte \(bit / 8): \(sample.place(bit / 8))")
      tally.trusted[sample.place(bit / 8), default: 0] += 1
    }
    return tally
  }

  @Test(.enabled(if: !Mutants.isThorough, "the table tries all of them"), arguments: SignedSample.all)
  func aFlippedBitCostsTrustOrChangesNothingThatIsSigned(_ sample: SignedSample) throws {
    let tally = try Self.flips(sample)
    #expect(tally.tried > 300)
    for place in tally.trusted.keys {
      #expect(SurvivalReason.of(place) != nil, "\(place): \(tally.trusted[place] ?? 0)")
    }
  }

  @Test(arguments: SignedSample.all)
  func aBeginningIsNotTrustedUnlessItHoldsAll(_ sample: SignedSample) throws {
    let verifier = sample.verifier
    let whole = try sample.trusted(sample.bytes, verifier)
    for count in Mutants.lengths(of: sample.bytes, every: 31) {
      guard let trusted = try sample.trusted(Array(sample.bytes.prefix(count)), verifier) else { continue }
      #expect(trusted == whole && count + 2 >= sample.bytes.count, "\(count) of \(sample.bytes.count) bytes")
    }
  }

  @Test(.enabled(if: Mutants.isThorough, "SLIPCAST_THOROUGH is not 1"))
  func theTableSaysWhatSurvives() throws {
    let text = try SurvivalTable.text()
    #expect(!text.contains(SurvivalTable.unknown))
    #expect(try ConformanceTable.stated("bits.md", instead: text) == text)
  }

  /// A token may be a JSON string; what follows that string is not overlooked.
  @Test func aTokenInQuotesIsThatToken() throws {
    let sample = try #require(SignedSample.all.first)
    let parts = String(decoding: sample.bytes, as: UTF8.self).split(separator: "\"")
    let token = try #require(parts.last { $0.count > 100 })
    #expect(sample.verifier.verify(Array("\"\(token)\"".utf8)).map(\.refusal?.reason) == [nil])
    #expect(sample.verifier.verify(Array("\"\(token)\"x".utf8)).map(\.isValid) == [false])
  }
}
