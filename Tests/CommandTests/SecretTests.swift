import SlipcastBulk
import SlipcastRunSupport
import SlipcastTestSupport
import Testing

/// The shared secret is in the input and in no output.
@Suite struct SecretTests {
  static let secret = "SECRET-SLIPCAST-0123456789abcdef"

  private static func search(_ sink: MemorySink, _ name: String) {
    let outputs = sink.lines + sink.provenanceLines + sink.rejectLines + sink.rejects.map(\.description)
    for output in outputs where output.contains(secret) || output.contains("SECRET-SLIPCAST") {
      Issue.record("\(name) leaks the secret")
    }
  }

  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"), ["auto", "history", "statuses"])
  func noOutputOfAGoodRecordShowsIt(_ fixture: Fixture, _ emission: String) async throws {
    let words = try fixture.arguments.contains("--emit") ? fixture.arguments : fixture.arguments + ["--emit", emission]
    Self.search(try await Harness.convert(words, [fixture.path("v1.json")]).sink, fixture.name)
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
