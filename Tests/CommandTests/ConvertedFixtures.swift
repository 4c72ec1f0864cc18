import SlipcastBulk
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// The notifications and receipts of `Fixtures`, each converted alone as its `arguments.txt` says, once for all tests.
enum ConvertedFixtures {
  static let cases = Fixture.cases("notifications") + Fixture.cases("receipts")
  /// Those whose whole output stands beside them.
  static let golden = cases.filter { $0.exists("v2.json") }

  /// What a run wrote about its one record.
  struct Conversion: Sendable {
    let line: String
    let provenance: String

    /// The array `findings` of the provenance.
    var findings: String {
      get throws {
        let text = try ReadText(provenance)
        // Elements show the bytes of the text.
        return try withExtendedLifetime(text) { try #require(text.root["findings"]).json }
      }
    }
  }

  struct Failed: Error { let reason: String }

  private static let conversions = Task {
    try await withThrowingTaskGroup(of: (String, Conversion).self) { group in
      for fixture in cases { group.addTask { (fixture.name, try await convert(fixture)) } }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  static func conversion(of fixture: Fixture) async throws -> Conversion {
    try #require(try await conversions.value[fixture.name])
  }

  private static func convert(_ fixture: Fixture) async throws -> Conversion {
    let (sink, _, counts) = try await Harness.convert(try fixture.arguments, [fixture.path("v1.json")])
    guard counts.converted == counts.read, let line = sink.lines.first, let provenance = sink.provenanceLines.first
    else {
      throw Failed(reason: "\(fixture): \(sink.rejects.map(\.description))")
    }
    return Conversion(line: line, provenance: provenance)
  }
}
