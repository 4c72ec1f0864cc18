import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// `convert` on receipts and tokens; what a receipt says comes from a reader that is made for these tests.
@Suite struct ReceiptRecordTests {
  private func convert(
    _ text: String, _ set: (inout ConvertOptions) -> Void = { _ in }
  ) async throws -> Run {
    try await Runs.convert(text) { options in
      options.receipts = TextSample.source
      set(&options)
    }
  }

  /// The record in a receipt, with a line feed where base64 of it must begin like one.
  private static func receipt(_ number: Int) -> String { TextSample.base64(Sample.line(number)) }
  private static func old(_ number: Int) -> String { TextSample.old(Sample.pretty(number)) }

  @Test func receiptsBecomeWhatTheirRecordsBecome() async throws {
    let plain = try await Runs.convert(Sample.lines(1...4))
    let wrapped = TextSample.wrapped(Self.receipt(4), 64)
    let texts = [
      "\(Self.receipt(1))\n\(Self.old(2))\n\(Sample.line(3))\n\(wrapped)\n",
      "[\"\(Self.receipt(1))\",\"\(Self.old(2))\",\(Sample.line(3)),\"\(wrapped.replacing("\n", with: "\\n"))\"]",
    ]
    for text in texts {
      for jobs in 1...4 {
        let run = try await convert(text) { $0.jobs = jobs }
        #expect(run.sink.output == plain.sink.output)
        #expect(run.places == [])
        #expect(run.counts.bytes == text.utf8.count)
      }
    }
  }

  @Test func theBytesOfAReceiptAreOneRecord() async throws {
    let run = try await Runs.convert(TextSample.receipt(Sample.line(7))) { $0.receipts = TextSample.source }
    #expect(run.numbers == [7])
    #expect(run.provenance.first?.contains(#""record":1,"#) == true)
  }

  @Test func aReceiptThatCannotBeReadIsOneReject() async throws {
    let broken = "MIIBroken" + String(repeating: "A", count: 40)
    let run = try await convert("\(Sample.line(1))\n  \(broken)\n\(Sample.line(2))")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.stage) == [.row])
    #expect(run.places == ["2@\(Sample.line(1).utf8.count + 3 + 7):2 receiptBroken content"])
    #expect(run.rejects.map { String(decoding: $0.text, as: UTF8.self) } == [broken])
  }

  @Test func whatAReceiptSaysMayBeNoRecord() async throws {
    let run = try await convert("\(TextSample.base64("{\"a\":1}"))\n\(TextSample.base64("{\"a\":tru}"))")
    #expect(run.rejects.map(\.stage) == [.legacy, .row])
    #expect(run.rejects.map(\.code) == ["unknownRecord", "literal"])
    #expect(run.rejects.map(\.path) == ["receipt", "…"])
    let wrong = try await convert(TextSample.base64(#"{"notification_type":5}"#))
    #expect(wrong.places == ["1@0:1 wrongKind receipt: notification_type"])
  }

  @Test func whatOnlyLooksLikeAReceiptIsRefused() async throws {
    let run = try await Runs.convert(Self.receipt(1))
    #expect(run.rejects.map(\.code) == ["messageUnreadable"])
  }

  // MARK: tokens

  @Test func aTokenNeedsNoConversion() async throws {
    let token = TextSample.token(1)
    let run = try await convert(
      "\(token)\n\"\(token)\"\n{\"signedPayload\":\"\(token)\"}\n{\"receipt-data\":\"\(token)\"}")
    #expect(run.rejects.map(\.code) == Array(repeating: "otherFormat", count: 4))
    #expect(run.rejects.map(\.stage) == Array(repeating: .legacy, count: 4))
    #expect(run.rejects.map(\.path) == ["", "", "signedPayload", "receipt-data"])
    #expect(run.rejects.map(\.line) == [1, 2, 3, 4])
  }

  // MARK: rows

  @Test func aBodyMayBeAReceipt() async throws {
    let rows = (1...3).map { number in
      let text = [Self.receipt, Self.old, { TextSample.wrapped(Self.receipt($0), 76, feed: "\\r\\n") }][number - 1](
        number)
      return #"{"id":"row-\#(number)","unified_receipt":{"latest_receipt":"\#(text)"}}"#
    }
    let run = try await convert(rows.joined(separator: "\n")) { options in
      options.body = JSONPointer("/unified_receipt/latest_receipt")
      options.id = JSONPointer("/id")
    }
    #expect(run.numbers == [1, 2, 3])
    #expect(run.provenance.last?.contains(#""id":"row-3""#) == true)
  }

  @Test func faultsOfAReceiptInARowPointToItsString() async throws {
    let row = { (text: String) in #"{"id":"r","body":"\#(text)"}"# }
    let texts = [
      "MIIBroken" + String(repeating: "A", count: 40), TextSample.base64(#"{"notification_type":5}"#),
      TextSample.token(1),
    ]
    let run = try await convert(texts.map(row).joined(separator: "\n")) { options in
      options.body = JSONPointer("/body")
      options.id = JSONPointer("/id")
    }
    #expect(run.rejects.map(\.code) == ["receiptBroken", "wrongKind", "otherFormat"])
    #expect(run.rejects.map(\.path) == ["body: content", "/body: notification_type", "body"])
    #expect(run.rejects.map(\.line) == [1, 2, 3])
    #expect(run.rejects.map(\.id) == ["r", "r", "r"])
    #expect(run.rejects[0].fault == 17)
  }

  @Test func whereRowsAreNamedAReceiptByItselfIsNone() async throws {
    let text = "\(Self.receipt(1))\n\"\(Self.receipt(1))\""
    let run = try await convert(text) { $0.body = JSONPointer("/body") }
    #expect(run.rejects.map(\.code) == ["bodyMissing", "bodyMissing"])
    #expect(try await convert(text) { $0.body = JSONPointer("") }.numbers == [1, 1])
    let dated = try await convert(text) { $0.receivedAt = JSONPointer("/at") }
    #expect(dated.counts.findings.byCode.contains { $0.code == "receivedTimeUnreadable" && $0.count == 2 })
  }

  // MARK: envelopes

  @Test func requestsAndUnitysReceiptsAreOpened() async throws {
    let texts = [
      #"{"receipt-data":"\#(Self.receipt(1))"}"#,
      #"{"receipt-data":"\#(Self.old(2))","password":"\#(Sample.secret)","exclude-old-transactions":true}"#,
      #"{"Store":"AppleAppStore","TransactionID":"3","Payload":"\#(Self.receipt(3))"}"#,
      "{\n  \"password\": \"\(Sample.secret)\",\n  \"receipt-data\": \"\(Self.receipt(4))\"\n}",
    ]
    #expect(try await convert(texts.joined(separator: "\n")).numbers == [1, 2, 3, 4])
    #expect(try await convert("[\(texts.joined(separator: ","))]").numbers == [1, 2, 3, 4])
    let rows = texts.map { "{\"body\":\($0)}" } + [#"{"body":"{\"receipt-data\":\"\#(Self.receipt(5))\"}"}"#]
    let run = try await convert(rows.joined(separator: "\n")) { $0.body = JSONPointer("/body") }
    #expect(run.numbers == [1, 2, 3, 4, 5])
  }

  @Test func anEnvelopeAroundARecordThatIsOneIsNotOpened() async throws {
    let line = #"{"receipt-data":"MII","Store":"x","Payload":"MII","# + Sample.line(1).dropFirst()
    #expect(try await convert(line).numbers == [1])
  }

  @Test(arguments: [
    #"{"Store":"GooglePlay","Payload":"{\"json\":1}"}"#, #"{"Payload":"MIIAAAAAAAAAAAAAAAAAA"}"#,
    #"{"Store":"AppleAppStore"}"#,
    #"{"receipt-data":5}"#, #"{"a":{"receipt-data":"MIIAAAAAAAAAAAAAAAAAA"}}"#,
  ])
  func otherObjectsAreNoEnvelopes(_ object: String) async throws {
    #expect(try await convert(object).places == ["1@0:1 unknownRecord "])
  }

  @Test func aBrokenEnvelopeIsOneRejectWithoutItsSecret() async throws {
    let text = #"{"password":"\#(Sample.secret)","receipt-data":"not a receipt"}"#
    let run = try await convert(text)
    #expect(run.rejects.map(\.code) == ["receiptBroken"])
    #expect(run.rejects.map(\.path) == ["receipt-data: content"])
    #expect(run.rejects.map(\.fault) == [text.utf8.count - 16])
    #expect(
      String(decoding: run.rejects[0].input, as: UTF8.self) == #"{"password":"[removed]","receipt-data":"string(13)"}"#)
    let wrong = try await convert(#"{"receipt-data":"\#(TextSample.base64(#"{"notification_type":5}"#))"}"#)
    #expect(wrong.rejects.map(\.path) == ["receipt-data: notification_type"])
  }

  // MARK: rejects

  @Test func rejectedReceiptsAreFedAgain() async throws {
    let wrapped = TextSample.wrapped(Self.receipt(3), 64)
    let text = "\(Self.receipt(1))\n{\"receipt-data\":\"\(Self.old(2))\"}\n\(wrapped)\n\"\(Self.receipt(4))\"\n"
    let first = try await Runs.convert(text)
    #expect(
      first.rejects.map(\.code) == [
        "messageUnreadable", "propertyListUnreadable", "messageUnreadable", "messageUnreadable",
      ])
    let again = try await convert(String(decoding: first.rawFile, as: UTF8.self))
    #expect(again.numbers == [1, 2, 3, 4])
  }

  @Test func theBytesOfARejectedReceiptAreKeptRawOnly() async throws {
    let bytes = TextSample.receipt(Sample.line(1))
    let run = try await Runs.convert(bytes)
    #expect(run.rejects.map(\.code) == ["messageUnreadable"])
    #expect(run.rejects.map(\.inputOmitted) == ["unparsed"])
    #expect(run.rawFile == bytes)
  }

  @Test func anOversizedReceiptKeepsNothing() async throws {
    let bytes = TextSample.receipt(Sample.line(1, filler: 5000))
    let run = try await Runs.convert(bytes) { $0.recordBytes = 4096 }
    #expect(run.rejects.map(\.code) == ["recordTooLarge"])
    #expect(run.rejects.map(\.input) == [[]])
  }
}
