import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Records inside rows: under a pointer, as an object or as JSON text in a string.
@Suite struct WrappedRowTests {
  private static func quoted(_ text: String) -> String {
    let writer = JSONWriter()
    writer.text(text)
    return writer.string
  }

  private func convert(_ text: String, body: String? = "/body", id: String? = "/id", at: String? = nil) async throws
    -> Run
  {
    try await Runs.convert(text) { options in
      options.body = body.flatMap { JSONPointer($0) }
      options.id = id.flatMap { JSONPointer($0) }
      options.receivedAt = at.flatMap { JSONPointer($0) }
    }
  }

  @Test func aBodyIsAnObjectOrTextInAString() async throws {
    let line = Sample.line(1)
    let plain = try await Runs.convert(line)
    for body in [line, Self.quoted(line), Self.quoted(Sample.pretty(1)), Sample.pretty(1).replacing("\n", with: " ")] {
      let run = try await convert("{\"id\":1,\"body\":\(body)}")
      #expect(run.sink.output == plain.sink.output)
      #expect(run.places == [])
    }
  }

  @Test func aPointerMayGoThroughObjectsAndArrays() async throws {
    let text = "{\"rows\":[0,{\"a/b\":\(Sample.line(1))}]}\n[1]\n"
    let run = try await convert(text, body: "/rows/1/a~1b", id: nil)
    #expect(run.numbers == [1])
    #expect(run.places == ["2@\(text.utf8.count - 4):2 bodyMissing /rows/1/a~1b"])
  }

  @Test(arguments: [#"{"id":7}"#, #"{"id":7,"Body":{}}"#, "5", "[]", #"{"id":7,"nested":{"body":{}}}"#])
  func aRowWithoutItsBodyIsOneReject(_ row: String) async throws {
    let run = try await convert("{\"body\":\(Sample.line(1))}\n\(row)\n{\"body\":\(Sample.line(2))}")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.stage) == [.row])
    #expect(run.rejects.map(\.code) == ["bodyMissing"])
    #expect(run.rejects.map(\.line) == [2])
  }

  @Test func aFaultOfABodyInPlaceIsToldInBytesOfTheSource() async throws {
    let row = #"{"id":"r","body":{"notification_type":5}}"#
    let run = try await convert("{\"body\":\(Sample.line(1))}\n" + row)
    #expect(run.rejects.map(\.code) == ["wrongKind"])
    #expect(run.rejects.map(\.path) == ["notification_type"])
    #expect(run.rejects.map(\.fault) == ["{\"body\":\(Sample.line(1))}\n".utf8.count + 38])
    #expect(run.rejects.map(\.id) == ["r"])
  }

  @Test func aFaultOfABodyInAStringPointsToTheString() async throws {
    let row = "{\"id\":\"r\",\"body\":\(Self.quoted(#"{"notification_type":5}"#))}"
    let run = try await convert(row)
    #expect(run.rejects.map(\.code) == ["wrongKind"])
    #expect(run.rejects.map(\.path) == ["/body: notification_type"])
    #expect(run.rejects.map(\.fault) == [17])
  }

  @Test func brokenJSONInAStringIsOneRejectAtTheString() async throws {
    let row = "{\"id\":\"r\",\"body\":\(Self.quoted(#"{"a":tru}"#))}"
    let run = try await convert(row)
    #expect(run.rejects.map(\.stage) == [.row])
    #expect(run.rejects.map(\.code) == ["literal"])
    #expect(run.rejects.map(\.path) == ["body"])
    #expect(run.rejects.map(\.fault) == [17])
    #expect(run.rejects.first?.message.contains("5 bytes into it") == true)
  }

  @Test(arguments: [
    (#""row-1""#, "row-1"), ("17", "17"), ("500880970751784867", "500880970751784867"), ("null", nil), ("[]", nil),
  ])
  func theRowsIdIsRepeatedInRejectsAndProvenance(_ json: String, _ id: String?) async throws {
    let run = try await convert("{\"id\":\(json),\"body\":\(Sample.line(1))}\n{\"id\":\(json),\"body\":{}}\n")
    #expect(run.rejects.map(\.id) == [id])
    #expect(run.provenance.map { $0.contains("\"id\":\"\(id ?? "")\"") } == [id != nil])
  }

  @Test func anIdIsNeverThatOfAnotherRow() async throws {
    let run = try await convert(
      "{\"id\":\"one\",\"body\":\(Sample.line(1))}\n{\"id\":\"two\",\"body\":{\"a\":tru}}\n{\"x\":\n")
    #expect(run.rejects.map(\.code) == ["literal", "incomplete"])
    #expect(run.rejects.map(\.id) == [nil, nil])
  }

  @Test func theReceivedTimeBecomesTheSignedDate() async throws {
    let times = [#""2023-05-01T10:00:00Z""#, "1682935200000", #""1682935200""#]
    let rows = times.map { "{\"at\":\($0),\"body\":\(Sample.line(1))}\n" }.joined()
    let run = try await convert(rows, at: "/at")
    #expect(run.lines.count == 3)
    #expect(run.lines.allSatisfy { $0.contains(#""signedDate":1682935200000"#) })
  }

  @Test(arguments: [#","at":"soon""#, #","at":null"#, ""])
  func anUnreadableReceivedTimeIsAFinding(_ member: String) async throws {
    let run = try await convert("{\"body\":\(Sample.line(1))\(member)}", at: "/at")
    #expect(run.numbers == [1])
    #expect(run.counts.findings.byCode.contains { $0.code == "receivedTimeUnreadable" })
  }

  @Test func rowsInAnArrayAreUnwrappedToo() async throws {
    let run = try await convert("[{\"body\":\(Sample.line(1))},{\"body\":\(Self.quoted(Sample.line(2)))},{}]")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.record) == [3])
  }
}
