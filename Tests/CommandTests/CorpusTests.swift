import SlipcastBulk
import SlipcastTestSupport
import Testing

/// Real-world samples, where the machine has them (`SLIPCAST_CORPUS`); skipped visibly otherwise.
@Suite(.enabled(if: Corpus.isPresent, "SLIPCAST_CORPUS is not set: no real-world samples here"))
struct CorpusTests {
  /// The only sample that is broken JSON.
  static let malformed = "missing-comma"

  @Test(arguments: Corpus.files("v1"))
  func convertsEveryNotification(_ path: String) async throws {
    let (sink, _, counts) = try await Harness.convert([], [path])
    #expect(counts.read == 1)
    if path.contains(Self.malformed) {
      #expect(sink.rejects.map(\.code) == ["syntax"])
    } else {
      #expect(counts.converted == 1, "\(sink.rejects.map(\.description))")
    }
  }

  @Test(arguments: Corpus.files("verify-receipt"))
  func convertsEveryAnswerThatCarriesData(_ path: String) async throws {
    let (sink, _, counts) = try await Harness.convert([], [path])
    let isError = path.contains("/error-") || path.contains("status-21007")
    #expect(counts.read == 1)
    #expect(sink.rejects.map(\.code) == (isError ? ["statusNotConvertible"] : []), "\(sink.rejects.map(\.description))")
  }

  @Test(arguments: Corpus.files("v1") + Corpus.files("verify-receipt"), ["history", "statuses"])
  func survivesEveryEmission(_ path: String, _ emission: String) async throws {
    let (_, _, counts) = try await Harness.convert(["--emit", emission], [path])
    #expect(counts.read == 1)
  }
}
