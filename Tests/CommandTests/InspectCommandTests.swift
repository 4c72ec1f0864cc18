import Foundation
import SlipcastTestSupport
import Testing

/// `slipcast inspect` as a user meets it.
@Suite struct InspectCommandTests {
  static let receipts = Fixture.root.path + "/receipts/signed"

  static func object(_ line: String) throws -> [String: Any] {
    let text = Data((line.split(separator: "\n").first ?? "").utf8)
    return try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
  }

  @Test func aTokenIsShownWithWhatIsSignedInside() throws {
    let program = try Program.shell(
      """
      d=$(mktemp -d) && slipcast identity --quiet $d/id &&
      slipcast convert --quiet --sign $d/id '\(Fixture.root.path)/notifications/did-renew/v1.json' > $d/one &&
      slipcast inspect --format json --root $d/id/root.der $d/one; rm -r $d
      """)
    let shown = try Self.object(program.output)
    #expect(shown["kind"] as? String == "notification" && shown["verdict"] as? String == "valid")
    #expect((shown["header"] as? [String: Any])?["alg"] as? String == "ES256")
    let data = try #require((shown["payload"] as? [String: Any])?["data"] as? [String: Any])
    #expect((data["transactionInfo"] as? [String: Any])?["transactionId"] is String)
    #expect((data["renewalInfo"] as? [String: Any])?["autoRenewStatus"] is Int)
    #expect(data["signedTransactionInfo"] is String)
    #expect((shown["certificates"] as? [Any])?.count == 3)
  }

  @Test func theReceiptInsideABodyIsShownWithItsPlace() throws {
    let program = try Program.shell(
      """
      r=$(cat '\(Self.receipts)/app-production/receipt.base64') &&
      printf '{"notification_type":"DID_RENEW","password":"SECRET-SLIPCAST","unified_receipt":{"latest_receipt":"%s"}}' "$r" |
        slipcast inspect --format json --root '\(Self.receipts)/root.der' -
      """)
    let shown = try Self.object(program.output)
    #expect(shown["kind"] as? String == "notificationV1")
    #expect(!program.output.contains("SECRET-SLIPCAST"))
    let inside = try #require((shown["signed"] as? [[String: Any]])?.first)
    #expect(inside["path"] as? String == "unified_receipt.latest_receipt" && inside["verdict"] as? String == "valid")
    #expect(((inside["receipt"] as? [String: Any])?["in_app"] as? [Any])?.count == 6)
  }

  /// A secret that is not text, or is part of a text, must not make the record unreadable either.
  @Test(arguments: [
    "null", "12345", "[\"SECRET-SLIPCAST\"]", "{\"x\":\"SECRET-SLIPCAST\"}", "\"SECRET-SLIPCAST\"",
  ])
  func theSecretIsTakenOutWhateverItIs(_ secret: String) async throws {
    let body = """
      {"notification_type":"CANCEL","password":\(secret),"notes":["a password=SECRET-SLIPCAST",
      "{\\"password\\":\\"SECRET-SLIPCAST\\",\\"bid\\":\\"kept\\"}"]}
      """
    try await Temporary.file(body.replacing("\n", with: "")) { file in
      let program = try Program.shell("slipcast inspect --format json '\(file)'")
      #expect(program.status == 0)
      let record = try #require(try Self.object(program.output)["record"] as? [String: Any])
      #expect(record["password"] as? String == "[removed]")
      #expect(
        (record["notes"] as? [String])?.first
          == "[not shown: text of 26 bytes under an unknown name]")
      #expect((record["notes"] as? [String])?.last?.contains("kept") == true)
      #expect(!program.output.contains("SECRET-SLIPCAST") && !program.output.contains("12345"))
    }
  }

  @Test func certificatesAreShown() throws {
    let program = try Program.shell("slipcast inspect --format json '\(Self.receipts)/root.der'")
    let shown = try Self.object(program.output)
    #expect(shown["kind"] as? String == "certificate" && program.status == 0)
  }

  @Test(arguments: [
    ("hello", "unknown"), ("", "unknown"), ("{}", "unknown"), ("[1]", "unknown"), ("MIIB", "appReceipt"),
    ("a.b.c", "unknown"),
    ("\\x30\\x80\\x00", "appReceipt"),
  ])
  func whatCannotBeDecodedIsRefused(_ content: String, _ kind: String) throws {
    let program = try Program.shell("printf '\(content)' | slipcast inspect --format json -")
    #expect(program.status == 1)
    #expect(try Self.object(program.output)["kind"] as? String == kind)
  }

  /// Header, payload and signature of a transaction that nobody has signed, and what `verify` says of it.
  @Test(arguments: [
    (#"{"alg":"none"}"#, "", "algorithm"), (#"{"alg":"ES256"}"#, "", "certificatesMissing"),
    (#"{"alg":"ES256"}"#, "+/*", "certificatesMissing"),
  ])
  func aTokenWithoutAReadableSignatureIsShown(_ header: String, _ signature: String, _ reason: String) throws {
    let payload = #"{"transactionId":"1","originalTransactionId":"1","productId":"p","environment":"Sandbox"}"#
    let parts = [header, payload].map { Data($0.utf8).base64EncodedString().filter { $0 != "=" } }
    let token = parts.joined(separator: ".") + "." + signature
    let program = try Program.shell("printf '\(token)' | slipcast inspect --format json -")
    let shown = try Self.object(program.output)
    #expect(program.status == 0 && shown["verdict"] as? String == "invalid")
    #expect(shown["payload"] is [String: Any] && shown["reason"] as? String == reason)
    let verified = try Self.object(try Program.shell("printf '\(token)' | slipcast verify --format json -").output)
    #expect(shown["kind"] as? String == verified["kind"] as? String)
    #expect(shown["reason"] as? String == verified["reason"] as? String)
  }

  @Test func aMissingFileEndsWithTwo() throws {
    let program = try Program.shell("slipcast inspect /no/such/file")
    #expect(program.status == 2 && program.output.isEmpty && program.errors.contains("/no/such/file"))
  }

  @Test func textIsIndentedAndHarmless() throws {
    let program = try Program.shell(
      #"printf '{"notification_type":"A\\u001b[31mB","unified_receipt":{}}' | slipcast inspect -"#)
    #expect(program.output.contains("version 1 notification") && !program.output.contains("\u{1B}"))
    let receipt = try Program.shell("slipcast inspect '\(Self.receipts)/app-vpp/receipt.base64'")
    #expect(receipt.output.contains("    receipt_creation_date_ms: 1616320800000  2021-03-21T10:00:00Z\n"))
    #expect(receipt.output.contains("verdict: invalid"))
  }
}
