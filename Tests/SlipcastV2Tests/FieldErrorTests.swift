@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

@Suite struct FieldErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let json: String
    let path: String
    let expected: String
    let found: String

    var testDescription: String { "\(path): \(found)" }

    init(_ json: String, _ path: String, _ expected: String, found: String) {
      self.json = json
      self.path = path
      self.expected = expected
      self.found = found
    }
  }

  static let cases: [Case] = [
    Case(#"{"version":["4711"]}"#, "version", "string", found: "array"),
    Case(#"{"notificationType":true}"#, "notificationType", "string", found: "boolean"),
    Case(#"{"signedDate":"4711 "}"#, "signedDate", "number (milliseconds since 1970 UTC)", found: "string"),
    Case(#"{"data":["4711"]}"#, "data", "object", found: "array"),
    Case(#"{"data":{"status":"04711"}}"#, "data.status", "number (32-bit integer)", found: "string"),
    Case(
      #"{"data":{"status":471100000000}}"#, "data.status", "number (32-bit integer)",
      found: "a number of more than 32 bits"),
    Case(#"{"data":{"appAppleId":true}}"#, "data.appAppleId", "number (64-bit integer)", found: "boolean"),
    Case(
      #"{"data":{"transactionInfo":{"isUpgraded":"4711"}}}"#, "data.transactionInfo.isUpgraded", "boolean",
      found: "string"),
    Case(
      #"{"data":{"transactionInfo":{"quantity":4.711}}}"#, "data.transactionInfo.quantity", "number (32-bit integer)",
      found: "a number with a fraction"),
    Case(
      #"{"data":{"transactionInfo":{"price":"4711.0"}}}"#, "data.transactionInfo.price",
      "number (thousandths of the currency unit)", found: "string"),
    Case(
      #"{"data":{"renewalInfo":{"appAccountToken":{"4711":1}}}}"#, "data.renewalInfo.appAccountToken", "string (UUID)",
      found: "object"),
    Case(
      #"{"data":{"renewalInfo":{"eligibleWinBackOfferIds":["4711",1]}}}"#,
      "data.renewalInfo.eligibleWinBackOfferIds[1]",
      "string", found: "number"),
    Case(
      #"{"data":{"transactionInfo":{"advancedCommerceInfo":{"items":[{},{"price":"4711x"}]}}}}"#,
      "data.transactionInfo.advancedCommerceInfo.items[1].price", "number (thousandths of the currency unit)",
      found: "string"),
    Case(
      #"{"migration":{"candidates":{"needs":"4711"}}}"#, "migration.candidates", "array of objects", found: "object"),
    Case(
      #"{"summary":{"storefrontCountryCodes":"4711"}}"#, "summary.storefrontCountryCodes", "array of strings",
      found: "string"),
  ]

  @Test(arguments: cases)
  func aValueOfAnotherKindIsAnErrorAtItsPath(_ wrong: Case) throws {
    let thrown = #expect(throws: FieldError.self) { try ResponseBodyV2DecodedPayload(json: wrong.json) }
    let error = try #require(thrown)
    #expect(error.path.description == wrong.path)
    #expect(error.expected == wrong.expected)
    #expect(error.found == wrong.found)
  }

  @Test(arguments: cases)
  func theMessageNeverShowsTheValue(_ wrong: Case) throws {
    let thrown = #expect(throws: FieldError.self) { try ResponseBodyV2DecodedPayload(json: wrong.json) }
    let error = try #require(thrown)
    #expect(!"\(error)".contains("4711"))
    #expect("\(error)".contains(wrong.path))
  }

  @Test func theErrorKnowsTheByteWhereTheValueBegins() throws {
    let thrown = #expect(throws: FieldError.self) { try ResponseBodyV2DecodedPayload(json: #"{"version":[]}"#) }
    #expect(try #require(thrown).offset == 11)
  }

  /// Warehouses and encoders write numbers of 64 bits as text, and some write digits as numbers.
  @Test func numbersAsTextAndTextsAsNumbersAreRead() throws {
    let payload = try ResponseBodyV2DecodedPayload(
      json:
        #"{"version":2.0,"signedDate":"1675242068000","data":{"status":"1","bundleVersion":12,"appAppleId":"7","transactionInfo":{"isUpgraded":"true","price":"9990","offerType":"1"}}}"#
    )
    #expect(payload.version == "2.0")
    #expect(payload.signedDate?.milliseconds == 1_675_242_068_000)
    #expect(payload.data?.status?.rawValue == 1 && payload.data?.bundleVersion == "12" && payload.data?.appAppleId == 7)
    let transaction = try #require(payload.data?.transactionInfo)
    #expect(transaction.isUpgraded == true && transaction.price == 9990 && transaction.offerType?.rawValue == 1)
  }

  @Test func brokenJSONIsAnErrorOfTheReader() {
    #expect(throws: JSONError.self) { try ResponseBodyV2DecodedPayload(json: #"{"version":"2.0""#) }
  }
}
