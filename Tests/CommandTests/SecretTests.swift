import SlipcastBulk
import SlipcastTestSupport
import Testing

/// The shared secret is in the input and in no output.
@Suite struct SecretTests {
  static let secret = "SECRET-SLIPCAST-0123456789abcdef"

  private static func search(_ sink: MemorySink, _ name: String) {
    let outputs = sink.lines + sink.provenanceLines + sink.rejectLines + sink.rejects.map(\.description)
    for output in outputs where output.contains("SECRET-SLIPCAST") {
      Issue.record("\(name) leaks the secret: \(output.prefix(200))")
    }
  }

  @Test(arguments: ["auto", "history", "statuses"])
  func noOutputOfAGoodRecordShowsIt(_ emission: String) async throws {
    for (arguments, cases) in try Dictionary(grouping: ConvertedFixtures.cases, by: { try $0.arguments }) {
      let words = arguments.contains("--emit") ? arguments : arguments + ["--emit", emission]
      let (sink, _, counts) = try await Harness.convert(words, cases.map { $0.path("v1.json") })
      #expect(counts.read == cases.count)
      Self.search(sink, "\(words)")
    }
  }

  @Test(arguments: Fixture.cases("rejects"))
  func noOutputOfABrokenRecordShowsIt(_ fixture: Fixture) async throws {
    let file = fixture.exists("input.ndjson") ? "input.ndjson" : "input.json"
    Self.search(try await Harness.convert([], [fixture.path(file)]).sink, fixture.name)
  }

  /// A record cut anywhere, wrapped in a string, or with its key spelled in escapes.
  @Test func noCutOrDisguiseShowsIt() async throws {
    let body = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
    let escaped = body.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    var broken = stride(from: 1, to: body.count, by: 7).map { String(body.prefix($0)) }
    broken.append("{\"body\":\"\(escaped)\",}")
    broken.append(
      body.replacing("\"password\"", with: "\"p\\u0061ssword\"").replacing("DID_RENEW\"", with: "DID_RENEW\",,"))
    broken.append(
      body.replacing("\"\(Self.secret)\"", with: "[\"\(Self.secret)\", {\"x\": \"\(Self.secret)\"}]").dropLast() + ",}")
    try await Temporary.file(broken.joined(separator: "\n")) { file in
      let (sink, _, counts) = try await Harness.convert([], [file])
      #expect(counts.rejected == broken.count)
      Self.search(sink, "a broken record")
    }
  }

  @Test func theFixturesCarryTheSecret() throws {
    let marked = try Fixture.cases("notifications").filter { try $0.text("v1.json").contains(Self.secret) }
    #expect(marked.count > 100)
  }
}
