import Foundation
import SlipcastTestSupport
import Testing

/// Records that `parity` cannot read: every form says which they are, for someone with a database.
@Suite struct UnreadRecordTests {
  private static func token(_ payload: String) -> String {
    [#"{"alg":"none"}"#, payload, "signature"].map { part in
      Data(part.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }.joined(separator: ".")
  }

  /// A pair that agrees, then what cannot be read.
  private static let legacy = """
    {"id":"a-1","body":{"notification_type":"REFUND","environment":"PROD","bid":"com.example.slipcast","original_transaction_id":901,"unified_receipt":{"status":0,"environment":"Production","latest_receipt_info":[]}}}
    {"id":"a-2","body":{"notification_type":"DID_RENEW","original_transaction_id":700000000000002,"unified_receipt":5}}
    {"id":"a-3","body":{"notification_type":"DID_RENEW","original_transaction_id":
    {"id":"a-4","body":"{\\"unified_receipt\\":{}}"}
    {"id":"a-5","body":{"notification_type":"CANCEL","unified_receipt":5,"a":{"original_transaction_id":"700000000000005"},"b":{"original_transaction_id":"700000000000006"}}}
    """
  private static let server = """
    {"id":"b-1","body":{"notificationType":"REFUND","notificationUUID":"7bbf224e-7d95-40a7-88a0-a8b710000001","version":"2.0","signedDate":1678096802000,"data":{"bundleId":"com.example.slipcast","environment":"Production","transactionInfo":{"transactionId":"901","originalTransactionId":"901","bundleId":"com.example.slipcast","productId":"coins","purchaseDate":1677664800000,"originalPurchaseDate":1677664800000,"quantity":1,"type":"Consumable","inAppOwnershipType":"PURCHASED","environment":"Production","signedDate":1678096802000,"revocationDate":1678096800000,"revocationReason":0}}}}
    {"id":"b-2","body":{"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"DOWNGRADE","notificationUUID":"7bbf224e-7d95-40a7-88a0-a8b710000002","version":"2.0","signedDate":1678096802000,"data":{"signedTransactionInfo":"no token","signedRenewalInfo":"\(token(#"{"originalTransactionId":"700000000000012"}"#))"}}}
    """

  private func shell(_ command: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("v1.ndjson", Self.legacy + "\n")
    try folder.write("v2.ndjson", Self.server + "\n")
    return try Program.shell(
      """
      cd '\(folder.path)'
      parity() { slipcast parity --legacy v1.ndjson --server v2.ndjson --body /body --id /id \
        --server-body /body --server-id /id "$@"; }
      \(command)
      """)
  }

  @Test(arguments: ["text", "markdown", "junit", "html", "json"])
  func everyFormNamesThemByRowTypeAndOriginalTransactionId(_ form: String) throws {
    let run = try shell("parity --format \(form); echo status $?")
    #expect(run.output.hasSuffix("status 1\n"), "\(run.errors)")
    let words = [
      "a-2", "DID_RENEW", "700000000000002", "a-4", "a-5", "CANCEL", "700000000000005", "700000000000006", "b-2",
      "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "700000000000012",
    ]
    // In JSON, what was not read is absent.
    for word in words + (form == "json" ? [] : ["nothing of it was read", "5 records could not be read"]) {
      #expect(run.output.contains(word), "\(word)\n\(run.output)")
    }
  }

  @Test func programsReadWhatWasRead() throws {
    let run = try shell(
      """
      parity --format json | python3 -c '
      import json, sys
      unread = json.load(sys.stdin)["unread"]
      for side in ("legacy", "server"):
          for one in unread[side]:
              print(side, one["source"], one["record"], one.get("id"), one.get("type"), one.get("originalTransactionIds"))'
      """)
    #expect(
      run.output == """
        legacy v1.ndjson 2 a-2 DID_RENEW ['700000000000002']
        legacy v1.ndjson 3 None None None
        legacy v1.ndjson 4 a-4 None []
        legacy v1.ndjson 5 a-5 CANCEL ['700000000000005', '700000000000006']
        server v2.ndjson 2 b-2 DID_CHANGE_RENEWAL_PREF/DOWNGRADE ['700000000000012']

        """, "\(run.errors)")
  }

  /// The page's search looks through its table of records.
  @Test func theSearchOfThePageFindsThem() throws {
    let run = try shell("parity --format html")
    let template = try #require(run.output.firstRange(of: "<template id=\"find-data\">")).upperBound
    let data = run.output[template...].prefix { $0 != "<" }
    for word in ["a-2", "700000000000002", "DID_RENEW", "a-5", "700000000000006", "b-2", "700000000000012"] {
      #expect(data.contains(word), "\(word)")
    }
  }

  @Test func rejectLinesNameThemToo() throws {
    let run = try shell("parity --rejects rejects > /dev/null; cat rejects")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 5)
    for part in [
      #""id":"a-2","type":"DID_RENEW","originalTransactionId":"700000000000002","input""#,
      #""id":"a-5","type":"CANCEL","originalTransactionIds":["700000000000005","700000000000006"],"input""#,
      #""id":"b-2","type":"DID_CHANGE_RENEWAL_PREF/DOWNGRADE","originalTransactionId":"700000000000012","input""#,
      #""id":"a-4","input""#,
    ] { #expect(lines.contains { $0.contains(part) }, "\(part)") }
    #expect(lines.contains { $0.contains("incomplete") && !$0.contains("\"type\"") })
  }
}
