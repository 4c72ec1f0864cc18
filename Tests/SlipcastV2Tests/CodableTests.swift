import Foundation
import SlipcastWire
import Testing

@testable import SlipcastV2

/// Models, dates and open values as members of other `Codable` types.
@Suite struct CodableTests {
  private struct Job: Codable, Equatable {
    var id: Int
    var event: ResponseBodyV2DecodedPayload
    var due: Timestamp?
    var status: Open<Status>?
  }

  static let event =
    #"{"notificationType":"DID_RENEW","signedDate":1667294138000,"data":{"appAppleId":9007199254740993,"#
    + #""status":1,"transactionInfo":{"isUpgraded":true,"price":9990,"more":{"a":[1,null,"é\"/",1.5,false]}},"#
    + #""renewalInfo":{"eligibleWinBackOfferIds":["a","b"]}}}"#

  @Test func aModelIsTheObjectThatItsJSONIs() throws {
    let text = #"{"id":1,"event":\#(Self.event),"due":1667294138000,"status":9}"#
    let job = try JSONDecoder().decode(Job.self, from: Data(text.utf8))
    #expect(job.event == (try ResponseBodyV2DecodedPayload(json: Self.event)))
    #expect(job.due == Timestamp(milliseconds: 1_667_294_138_000))
    #expect(job.status == .unknown(9))
    let encoded = try JSONEncoder().encode(job)
    #expect(try JSONDecoder().decode(Job.self, from: encoded) == job)
    let event = try JSONSerialization.jsonObject(with: encoded) as? [String: Any]
    #expect((event?["event"] as? [String: Any])?["notificationType"] as? String == "DID_RENEW")
  }

  @Test func aPropertyListHoldsItToo() throws {
    let event = try ResponseBodyV2DecodedPayload(json: #"{"version":"2.0","data":{"status":1,"bundleId":"a.b"}}"#)
    let encoded = try PropertyListEncoder().encode(event)
    #expect(try PropertyListDecoder().decode(ResponseBodyV2DecodedPayload.self, from: encoded) == event)
  }

  @Test func aMemberOfAnotherKindIsNamed() {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ResponseBodyV2DecodedPayload.self, from: Data(#"{"data":{"status":"4711 "}}"#.utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("expected a corrupted value, found \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "data.status: expected number (32-bit integer), found string")
  }
}
