@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// What a reject says of the record that it is about.
@Suite struct RejectSubjectTests {
  private func subject(_ text: String) -> RejectSubject? {
    RejectSubjectReader(JSONLimits()).subject(of: Array(text.utf8).span)
  }

  @Test(arguments: [
    (#"{"notification_type":"DID_RENEW","original_transaction_id":"12"}"#, "DID_RENEW of 12"),
    (
      #"{"notification_type":"CANCEL","a":[{"original_transaction_id":12},{"original_transaction_id":"12"}]}"#,
      "CANCEL of 12"
    ),
    (
      #"{"notificationType":"SUBSCRIBED","subtype":"RESUBSCRIBE"}"#,
      "SUBSCRIBED/RESUBSCRIBE without an original transaction id"
    ),
    (#"{"body":"{\"notification_type\":\"RENEWAL\",\"original_transaction_id\":7}"}"#, "RENEWAL of 7"),
    (
      #"{"a":{"notification_type":"RENEWAL"},"b":{"notification_type":"CANCEL","original_transaction_id":7}}"#,
      "record without a type of 7"
    ),
    (#"[{"original_transaction_id":1},{"original_transaction_id":2}]"#, "record without a type of one of 1, 2"),
    ("{}", "no type and no original transaction id in it"),
    // Base64 of {"notification_type":"CANCEL","original_transaction_id":"9"}.
    ("eyJub3RpZmljYXRpb25fdHlwZSI6IkNBTkNFTCIsIm9yaWdpbmFsX3RyYW5zYWN0aW9uX2lkIjoiOSJ9", "CANCEL of 9"),
  ])
  func namesTypeAndIds(_ text: String, _ words: String) { #expect(subject(text)?.words == words) }

  @Test(arguments: ["", "{", "nonsense", "MIIT0wYJKoZIhvcNAQcCoIITxDCCE8AC"])
  func textThatCannotBeReadHasNoSubject(_ text: String) { #expect(subject(text) == nil) }

  /// A secret in the place of a name or an id is in no report.
  @Test(arguments: [
    "5ec7e0f1a2b3c4d5968778695a4b3c2d", "5EC7E0F1A2B3C4D5968778695A4B3C2D", "DID_RENEW hunter", "hunter2",
    "1234567890123456789012",
    "-1", "1.5", "１２",
  ])
  func takesOnlyWhatTypesAndIdsConsistOf(_ value: String) throws {
    let found = try #require(subject(#"{"notification_type":"\#(value)","original_transaction_id":"\#(value)"}"#))
    #expect(found == RejectSubject())
  }

  @Test func aRecordOfThousandsOfIdsKeepsFive() throws {
    let items = (1...2000).map { #"{"original_transaction_id":\#($0)}"# }.joined(separator: ",")
    let found = try #require(subject("[\(items)]"))
    #expect(found.originalTransactionIds == ["1", "2", "3", "4", "5"] && found.hasMoreIds)
    #expect(found.words.hasSuffix("of one of 1, 2, 3, 4, 5 and others"))
  }
}
