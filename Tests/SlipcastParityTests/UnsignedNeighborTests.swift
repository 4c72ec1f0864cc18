import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastTestSupport
import Testing

/// A decoded member next to a signed one, which no signature covers, changes nothing: neither in `diff` nor in `parity`.
@Suite struct UnsignedNeighborTests {
  /// Base64url without padding.
  private static func encoded(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func signed(_ payload: Any) throws -> String {
    [#"{"alg":"ES256","x5c":["AA"]}"#, try text(payload)].map(encoded).joined(separator: ".") + ".c2lnbmF0dXJl"
  }

  private static func text(_ object: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]), as: UTF8.self)
  }

  private static func object(_ pair: String) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(try Fixture.named("pairs/\(pair)").bytes("v2.json")))
    return try #require(json as? [String: Any])
  }

  /// A signed record, and the same with a decoded member of other content beside it.
  static let places = ["payload", "part", "history"]

  private static func records(_ place: String) throws -> (pair: String, signed: [String: Any], beside: [String: Any]) {
    if place == "history" {
      var root = try object("history-decoded")
      let transactions = try #require(root["transactions"] as? [[String: Any]])
      root["signedTransactions"] = try transactions.map(signed)
      root["transactions"] = nil
      var beside = root
      beside["transactions"] = transactions.map { $0.merging(forged) { $1 } }
      return ("history-decoded", root, beside)
    }
    var root = try object("form-decoded")
    var data = try #require(root["data"] as? [String: Any])
    let transaction = try #require(data["transactionInfo"] as? [String: Any])
    let renewal = try #require(data["renewalInfo"] as? [String: Any])
    (data["transactionInfo"], data["renewalInfo"]) = (nil, nil)
    data["signedRenewalInfo"] = try signed(renewal)
    if place == "part" {
      root["data"] = data
      var beside = data
      beside["transactionInfo"] = transaction.merging(forged) { $1 }
      return ("form-decoded", root, root.merging(["data": beside]) { $1 })
    }
    root["data"] = data
    let outer: [String: Any] = ["signedPayload": try signed(root)]
    return ("form-decoded", outer, outer.merging(["transactionInfo": transaction.merging(forged) { $1 }]) { $1 })
  }

  private static var forged: [String: Any] {
    ["productId": "com.example.slipcast.forged", "expiresDate": 4_000_000_000_000]
  }

  @Test(arguments: places)
  func diffDoesNotReadIt(_ place: String) throws {
    let (pair, signed, beside) = try Self.records(place)
    let legacy = try Fixture.named("pairs/\(pair)").bytes("v1.json")
    let expected = try Archives.comparer().compare(legacy: legacy, server: Array(try Self.text(signed).utf8))
    let found = try Archives.comparer().compare(legacy: legacy, server: Array(try Self.text(beside).utf8))
    #expect(!expected.fields.isEmpty && found.fields == expected.fields)
    #expect(found.verdict == expected.verdict)
  }

  @Test(arguments: places)
  func parityDoesNotReadIt(_ place: String) async throws {
    let (pair, signed, beside) = try Self.records(place)
    var results: [ParityResultSummary] = []
    for record in [signed, beside] {
      var archives = Archives()
      archives.legacy.append(try Archives.line(Fixture.named("pairs/\(pair)"), "v1.json"))
      archives.server.append(try Self.text(record))
      results.append(ParityResultSummary(try await archives.compare()))
    }
    #expect(results[0] == results[1])
    #expect(results[0].compared > 0)
  }
}

/// What a comparison counts.
private struct ParityResultSummary: Hashable {
  let matched, conflicting, onlyV1, onlyV2, compared: Int

  init(_ result: ParityResult) {
    (matched, conflicting) = (result.pairs.matched, result.pairs.conflicting)
    (onlyV1, onlyV2) = (result.pairs.legacyWithoutServer, result.pairs.serverWithoutLegacy)
    compared = matched + conflicting + onlyV1 + onlyV2 + result.pairs.notComparable
  }
}
