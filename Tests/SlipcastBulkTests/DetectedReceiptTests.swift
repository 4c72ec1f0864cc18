import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// `detect` recognizes what `convert` reads: receipts in binary.
@Suite struct DetectedReceiptTests {
  private static func receipt() throws -> [UInt8] {
    let text = try Fixture.named("receipts/signed/app-production").bytes("receipt.base64")
    return try #require(Base64.decode(text))
  }

  @Test(arguments: ["rec.der", "rec.bin", "rec", "rec.p7b", "rec.json"])
  func aBinaryReceiptIsARecord(_ name: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(name, bytes: try Self.receipt())
    let found = try await SourceDetector.detect(InputFile(path: folder.path(name)))
    #expect(found.form == .texts && found.profile.whole.recordCount == 1, "\(found.form)")
    #expect(found.options.isEmpty)
    #expect(found.profile.whole.records.keys.map(\.kind) == ["appReceipt"])
  }
}
