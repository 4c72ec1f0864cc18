@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

@Suite struct RoundTripTests {
  @Test(arguments: ModelCase.all)
  func everyMemberIsWrittenAsItWasRead(_ model: ModelCase) throws {
    let document = ModelCase.object(model.members)
    #expect(try model.rewrite(document) == document)
  }

  @Test(arguments: ModelCase.all)
  func membersAreWrittenInTableOrderWhateverOrderTheyCameIn(_ model: ModelCase) throws {
    let document = ModelCase.object(model.members)
    #expect(try model.rewrite(ModelCase.object(model.members.reversed())) == document)
  }

  @Test(arguments: ModelCase.all)
  func unknownMembersKeepTheirOrderAndSpellingBehindTheKnownOnes(_ model: ModelCase) throws {
    let first = #""zeta":{"b":[1, 2.50],"a":null}"#
    let second = #""alpha":"caf\u00e9 \/""#
    let document = ModelCase.object([first] + model.members + [second])
    #expect(try model.rewrite(document) == ModelCase.object(model.members + [first, second]))
  }

  @Test(arguments: ModelCase.all)
  func nullCountsAsAbsent(_ model: ModelCase) throws {
    #expect(try model.rewrite(ModelCase.object(model.keys.map { "\"\($0)\":null" })) == "{}")
  }

  @Test func aNotificationIsReadIntoTypedValues() throws {
    let body = try ResponseBodyV2DecodedPayload(json: Self.notification)
    #expect(body.notificationType == .known(.didRenew))
    #expect(body.subtype == nil)
    #expect(body.signedDate == Timestamp(milliseconds: 1_700_000_000_123))
    #expect(body.data?.environment == .known(.production))
    #expect(body.data?.status == .known(.active))
    let transaction = body.data?.transactionInfo
    #expect(transaction?.type == .known(.autoRenewableSubscription))
    #expect(transaction?.originalTransactionId == "470001234567890123")
    #expect(transaction?.price == 9990)
    #expect(transaction?.commitmentInfo?.billingPeriodNumber == 3)
    #expect(transaction?.advancedCommerceInfo?.items?.first?.SKU == "gold")
    #expect(body.data?.renewalInfo?.autoRenewStatus == .known(.on))
    #expect(body.data?.renewalInfo?.priceIncreaseStatus == nil)
    #expect(body.migration?.confidence == .known(.documented))
  }

  @Test func aNotificationIsWrittenAsItWasRead() throws {
    #expect(try ResponseBodyV2DecodedPayload(json: Self.notification).json == Self.notification)
  }

  @Test func unknownMembersOfInnerObjectsStayWithTheirObject() throws {
    let json = #"{"data":{"bundleId":"com.example","later":true,"transactionInfo":{"price":1,"new":[]}},"new":1}"#
    let body = try ResponseBodyV2DecodedPayload(json: json)
    #expect(body.unrecognized == [UnrecognizedField(name: "new", json: "1")])
    #expect(body.data?.unrecognized == [UnrecognizedField(name: "later", json: "true")])
    #expect(body.data?.transactionInfo?.unrecognized == [UnrecognizedField(name: "new", json: "[]")])
    let written = #"{"data":{"bundleId":"com.example","transactionInfo":{"price":1,"new":[]},"later":true},"new":1}"#
    #expect(body.json == written)
  }

  @Test func fractionsOfMillisecondsAreCutOff() throws {
    let transaction = try AppTransaction(json: #"{"receiptCreationDate":1697679936049.7297}"#)
    #expect(transaction.receiptCreationDate == Timestamp(milliseconds: 1_697_679_936_049))
  }

  @Test func uuidsKeepTheirSpelling() throws {
    let json = #"{"appAccountToken":"7E3fb20b-4cdb-47cc-936d-99d65f608138"}"#
    #expect(try JWSTransactionDecodedPayload(json: json).json == json)
  }

  /// Made by hand, in the order of the tables.
  private static let notification = [
    #"{"notificationType":"DID_RENEW","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20","version":"2.0","#,
    #""signedDate":1700000000123,"data":{"appAppleId":41234,"bundleId":"com.example","bundleVersion":"1.2.3","#,
    #""environment":"Production","status":1,"transactionInfo":{"originalTransactionId":"470001234567890123","#,
    #""purchaseDate":1700000000000,"quantity":1,"type":"Auto-Renewable Subscription","#,
    #""isUpgraded":false,"environment":"Production","price":9990,"currency":"EUR","#,
    #""commitmentInfo":{"billingPeriodNumber":3,"commitmentPrice":119880},"#,
    #""advancedCommerceInfo":{"items":[{"SKU":"gold","price":9990,"refunds":[{"refundType":"FULL"}]}]}},"#,
    #""renewalInfo":{"originalTransactionId":"470001234567890123","autoRenewStatus":1,"#,
    #""eligibleWinBackOfferIds":["back","again"]}},"#,
    #""migration":{"rule":"did-renew","confidence":"documented","inferred":["signedDate"]}}"#,
  ].joined()
}
