import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastComparison

/// A record that is compressed or encoded is named as such, with the command that unwraps it.
@Suite struct WrappedRecordTests {
  private static let json = #"{"notification_type":"DID_RENEW"}"#

  private static let cases: [(bytes: [UInt8], found: String, command: String)] = [
    ([0x1F, 0x8B, 0x08, 0x00, 0x22], "data compressed with gzip", "gzip -dc FILE"),
    ([0x28, 0xB5, 0x2F, 0xFD, 0x04], "data compressed with zstd", "zstd -dc FILE"),
    ([0x50, 0x4B, 0x03, 0x04, 0x14], "data compressed with zip", "unzip -p FILE"),
    (Array(Base64.encode(Array(json.utf8)).utf8), "base64 of JSON", "base64 -d FILE"),
    (Array("  eyJ-_2 EiOjF9\n".utf8), "base64 of JSON", "basenc --base64url -d FILE"),
    (
      Array("\"\(Base64.encode(Array(json.utf8)))\"".utf8), "a JSON string with base64 of JSON",
      "jq -r . FILE | base64 -d"
    ),
    (Array("\"{\\\"notification_type\\\":1}\"\n".utf8), "a JSON string that contains JSON", "jq -r . FILE"),
    (
      Array(Base64.encode([0x1F, 0x8B, 0x08, 0, 0, 0]).utf8), "base64 of data compressed with gzip",
      "base64 -d FILE | gzip -dc"
    ),
  ]

  @Test(arguments: cases.indices)
  func aWrappedRecordIsNamedOnBothSides(_ number: Int) throws {
    let (bytes, found, command) = Self.cases[number]
    let whole = Fixture.named("pairs/type-initial-buy")
    for (side, legacy, server) in [
      (ComparisonError.Side.legacy, bytes, try whole.bytes("v2.json")),
      (.server, try whole.bytes("v1.json"), bytes),
    ] {
      let error = #expect(throws: ComparisonError.self) { try Shared.comparer.compare(legacy: legacy, server: server) }
      #expect(error?.side == side)
      #expect(error?.reason == .wrapped(found: found, command: command))
      #expect(error?.description == "expected JSON, found \(found); unwrap the record first: \(command)")
    }
  }

  @Test(arguments: ["DID_RENEW", "eyJhbGciOiJFUzI1NiJ9.e30", "\"another text\"", "e", "MIIB", "12345678"])
  func anotherTextIsNotWrapped(_ text: String) { #expect(WrappedRecord(Array(text.utf8)) == nil) }
}
