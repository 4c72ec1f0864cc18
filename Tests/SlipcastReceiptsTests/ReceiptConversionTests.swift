import Foundation
import SlipcastKit
import SlipcastReceipts
import SlipcastSignatures
import SlipcastTestSupport
import Testing

/// `convert(receipt:)`, and the example of it in SlipcastReceipts.docc.
@Suite struct ReceiptConversionTests {
  @Test(arguments: ["app-production", "ios6-v2-sandbox", "app-production-binary"])
  func aReceiptIsConvertedAsTheCommandDoesIt(_ name: String) throws {
    let fixture = Fixture.named("receipts/signed/\(name)")
    let conversion = try LegacyConverter().convert(receipt: SignedFixtureTests.receipt(fixture))
    let expected = try HistoryResponse(json: fixture.text("v2.json"))
    #expect(conversion.history?.transactions == expected.transactions)
    #expect(conversion.history?.environment == expected.environment)
  }

  @Test func otherBytesAreRefused() throws {
    let converter = try LegacyConverter()
    #expect(throws: Refusal.self) { try converter.convert(receipt: "{}".utf8) }
  }

  @Test(arguments: ["app-production", "ios6-v2-sandbox", "app-production-binary"])
  func aReceiptInThePlaceOfJSONIsNamed(_ name: String) throws {
    let receipt = try SignedFixtureTests.receipt(Fixture.named("receipts/signed/\(name)"))
    let error = #expect(throws: RecordError.self) { try LegacyConverter().convert(receipt) }
    #expect(error?.description.hasSuffix("call convert(receipt:)") == true)
  }

  @Test func theExampleOfTheDocumentationPrintsThePurchases() throws {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // Example: begin
    func printPurchases(in receipt: [UInt8]) throws {
      let conversion = try LegacyConverter().convert(receipt: receipt)
      for transaction in conversion.history?.transactions ?? [] {
        print(transaction.transactionId ?? "", transaction.productId ?? "")
      }
    }
    // Example: end

    try printPurchases(in: Fixture.named("receipts/signed/app-production").bytes("receipt.base64"))
    #expect(printed.count == 6)
    #expect(printed.first == "510000000000021 com.example.slipcast.forever")

    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(
      contentsOfFile: Folder.package("Sources/SlipcastReceipts/SlipcastReceipts.docc/SlipcastReceipts.md"),
      encoding: .utf8)
    let shown = source.components(separatedBy: "    // Example: begin\n")[1].components(separatedBy: "    // Example:")[
      0]
    #expect(page.contains(shown.split(separator: "\n").map { $0.dropFirst(4) + "\n" }.joined()))
  }
}
