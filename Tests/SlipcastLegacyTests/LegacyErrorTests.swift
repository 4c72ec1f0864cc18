@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastLegacy

@Suite struct LegacyErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let json: String
    let reason: LegacyError.Reason
    let path: String
    let offset: Int
    var testDescription: String { json }

    init(_ json: String, _ reason: LegacyError.Reason, _ path: String, at offset: Int) {
      (self.json, self.reason, self.path, self.offset) = (json, reason, path, offset)
    }
  }

  static let object = "an object"
  static let version2 = LegacyError.Reason.otherFormat(found: "a version 2 object")

  static let wrongKinds: [Case] = [
    Case("[]", .wrongKind(expected: "a JSON object", found: "array"), "", at: 0),
    Case("  [1]", .wrongKind(expected: "a JSON object", found: "array"), "", at: 2),
    Case("5", .wrongKind(expected: "a JSON object", found: "number"), "", at: 0),
    Case(#""text""#, .wrongKind(expected: "a JSON object", found: "string"), "", at: 0),
    Case("null", .wrongKind(expected: "a JSON object", found: "null"), "", at: 0),
    Case("true", .wrongKind(expected: "a JSON object", found: "boolean"), "", at: 0),
    Case(
      #"{"notification_type":5}"#, .wrongKind(expected: "a string", found: "number"), "notification_type", at: 21),
    Case(
      #"{"notification_type" : {}}"#, .wrongKind(expected: "a string", found: "object"), "notification_type", at: 23),
    Case(
      #"{"notification_type":"X","unified_receipt":"x"}"#, .wrongKind(expected: object, found: "string"),
      "unified_receipt", at: 43),
    Case(
      #"{"notification_type":"X","unified_receipt":[{}]}"#, .wrongKind(expected: object, found: "array"),
      "unified_receipt", at: 43),
    Case(#"{"status":0,"receipt":"MII"}"#, .wrongKind(expected: object, found: "string"), "receipt", at: 22),
    Case(#"{"status":0,"receipt":[]}"#, .wrongKind(expected: object, found: "array"), "receipt", at: 22),
    // Both are written again to be read: positions in that text are not those of the record.
    Case(#" {"in_app":0}"#, .wrongKind(expected: "an array of objects", found: "number"), "receipt.in_app", at: 1),
    Case(
      #"{"unified_receipt":"{\"latest_receipt_info\":[]}","notification_type":5}"#,
      .wrongKind(expected: "a string", found: "number"), "notification_type", at: 0),
  ]

  static let refused: [Case] = [
    Case(#"{"notification_type":null}"#, .missing(expected: "a string in notification_type"), "", at: 0),
    Case(#" {"notification_type":""}"#, .missing(expected: "a string in notification_type"), "", at: 1),
    Case(#"{"unified_receipt":{}}"#, .missing(expected: "notification_type next to unified_receipt"), "", at: 0),
    Case(#"{"signedPayload":"e30.e30.x"}"#, version2, "signedPayload", at: 17),
    Case(#"{"notificationType":"DID_RENEW","version":"2.0"}"#, version2, "notificationType", at: 20),
    Case(#"{"a":1,"signedTransactionInfo":"e30.e30.x"}"#, version2, "signedTransactionInfo", at: 31),
    Case(#"{"signedTransactions":[]}"#, version2, "signedTransactions", at: 22),
    Case("{}", .unknownRecord, "", at: 0),
    Case(#"{"body":{"notification_type":"X"}}"#, .unknownRecord, "", at: 0),
    Case(#"{"Notification_Type":"X","x":1}"#, .unknownRecord, "", at: 0),
    Case(#"{"environment":"PROD","password":"x"}"#, .unknownRecord, "", at: 0),
    Case(#"{"status":0}"#, .unknownRecord, "", at: 0),
    Case(#"{"status":"ok","data":{}}"#, .unknownRecord, "", at: 0),
    Case(#"{"status":404,"receipt":{}}"#, .unknownRecord, "", at: 0),
    Case(#"{"latest_receipt_info":[]}"#, .unknownRecord, "", at: 0),
    Case(#"{"notification_type":"DID_RENEW"}"#, .noContent, "", at: 0),
    Case(#"{"notification_type":"DID_RENEW","unified_receipt":null,"bid":"x"}"#, .noContent, "", at: 0),
    Case(#"{"notification_type":"DID_RENEW","original_transaction_id":""}"#, .noContent, "", at: 0),
    Case(#"{"notification_type":"DID_RENEW","latest_receipt_info":{}}"#, .noContent, "", at: 0),
    Case(#"{"notification_type":"DID_RENEW","pending_renewal_info":[]}"#, .noContent, "", at: 0),
  ]

  @Test(arguments: wrongKinds + refused)
  func aUselessRecordIsRefusedWithReasonAndPlace(_ useless: Case) {
    let error = #expect(throws: LegacyError.self) { try ReadRecord(useless.json) }
    #expect(error?.reason == useless.reason)
    #expect(error?.path.description == useless.path)
    #expect(error?.offset == useless.offset)
  }

  @Test func insideARowThePathBeginsAtTheRecordAndTheOffsetAtTheText() {
    let error = #expect(throws: LegacyError.self) {
      try ReadRecord(#"{"row":{"body":{"notification_type":5}}}"#, under: ["row", "body"])
    }
    #expect(error?.path.description == "notification_type")
    #expect(error?.offset == 36)
  }

  @Test(arguments: [
    (
      #"{"notification_type":"DID_RENEW","unified_receipt":"x"}"#,
      "byte 51: unified_receipt: expected an object, found string"
    ),
    ("[]", "expected a JSON object, found array"),
  ])
  func theTextSaysWhere(_ json: String, _ text: String) {
    let error = #expect(throws: LegacyError.self) { try ReadRecord(json) }
    #expect(error?.description == text)
  }

  @Test func everyReasonHasItsCode() {
    let codes: [String: LegacyError.Reason] = [
      "wrongKind": .wrongKind(expected: "", found: ""), "missing": .missing(expected: ""),
      "otherFormat": .otherFormat(found: ""), "unknownRecord": .unknownRecord, "noContent": .noContent,
    ]
    for (code, reason) in codes {
      let error = LegacyError(reason: reason, path: JSONPath(), offset: 0)
      #expect(error.code == code)
      #expect(error.description.hasPrefix("expected "))
    }
  }

  @Test(arguments: wrongKinds + refused)
  func noErrorShowsThePassword(_ useless: Case) {
    let places = useless.json.indices.filter { useless.json[$0] == "{" }
    let member = "\"password\":\"\(Body.secret)\""
    let texts = places.map { place in
      let behind = useless.json.index(after: place)
      let comma = useless.json[behind...].hasPrefix("}") ? "" : ","
      return useless.json[..<behind] + member + comma + useless.json[behind...]
    }
    for text in texts + ["\"\(Body.secret)\"", "[\(member.dropFirst(11))]"] {
      do {
        _ = try ReadRecord(String(text))
      } catch {
        #expect(!"\(error)".contains(Body.secret))
        if let error = error as? LegacyError { #expect(!error.path.description.contains(Body.secret)) }
      }
    }
  }

  /// `facts/v1.md` §1: the shared secret; it is dropped where it is read.
  @Test(arguments: [Body.notification, #"{"status":21002,"password":"\#(Body.secret)"}"#])
  func thePasswordCannotBeReadFromARecord(_ json: String) throws {
    let read = try ReadRecord(json)
    #expect(read.record.text(read.record.body, .password) == nil)
  }
}
