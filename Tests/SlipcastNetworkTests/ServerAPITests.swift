import Foundation
import SlipcastSignatures
import SlipcastV2
import SlipcastWire
import Testing

@testable import SlipcastNetwork

/// The library's client against prepared responses.
@Suite(.serialized) struct ServerAPITests {
  private static let bundleId = "com.example.slipcast"
  private static let transaction =
    "{\"transactionId\":\"730000000000001\",\"originalTransactionId\":\"730000000000001\",\"bundleId\":\"\(bundleId)\","
    + "\"productId\":\"com.example.slipcast.monthly\",\"signedDate\":1760000001000,\"environment\":\"Production\"}"

  /// Runs a body with a client of a server with prepared responses.
  private func with(
    _ responses: (JWSSigner) throws -> [CannedServer.Response],
    _ body: (ServerAPI, CannedServer) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let identity = try TestIdentity.create(in: folder.path)
    let pem = Array(try Data(contentsOf: folder.appendingPathComponent("leaf.key")))
    let key = try APIKey(pem: pem, keyId: "ABC", issuerId: "issuer")
    let server = try CannedServer(try responses(JWSSigner(identity: identity)))
    defer { server.stop() }
    let api = ServerAPI(key: key, bundleId: Self.bundleId, server: server.address, anchors: identity.anchors)
    try await body(api, server)
  }

  @Test func historiesAreVerifiedAndDecoded() async throws {
    try await with({ signer in
      let token = try signer.sign(Self.transaction.utf8)
      let body =
        "{\"revision\":\"r1\",\"hasMore\":false,\"bundleId\":\"\(Self.bundleId)\",\"environment\":\"Production\","
        + "\"signedTransactions\":[\"\(token)\"]}"
      return [.init(body: body)]
    }) { api, server in
      let page = try await api.transactionHistory(of: "730000000000001", revision: "r 0")
      #expect(page.transactions?.map(\.productId) == ["com.example.slipcast.monthly"])
      #expect(page.revision == "r1" && page.hasMore == false)
      #expect(server.requests.count == 1)
      #expect(server.requests[0].hasPrefix("GET /inApps/v2/history/730000000000001?revision=r%200 HTTP/1.1\r\n"))
      #expect(server.requests[0].contains("Authorization: Bearer ey"))
    }
  }

  @Test func ordersAreVerifiedAndDecoded() async throws {
    try await with({ signer in
      let token = try signer.sign(Self.transaction.utf8)
      return [.init(body: "{\"status\":0,\"signedTransactions\":[\"\(token)\"]}"), .init(body: "{\"status\":1}")]
    }) { api, server in
      let known = try await api.order("MSLIP 1")
      #expect(known.response.status?.known == .valid)
      #expect(known.transactions.map(\.originalTransactionId) == ["730000000000001"])
      #expect(server.requests[0].hasPrefix("GET /inApps/v1/lookup/MSLIP%201 HTTP/1.1\r\n"))
      let unknown = try await api.order("MSLIP2")
      #expect(unknown.response.status?.known == .invalid && unknown.transactions.isEmpty)
    }
  }

  @Test func errorsHaveApplesCodes() async throws {
    let body = "{\"errorCode\":4040010,\"errorMessage\":\"Transaction id not found.\"}"
    let strange = "{\"errorCode\":4049999,\"errorMessage\":\"New.\"}"
    try await with({ _ in [.init(status: 404, body: body), .init(status: 404, body: strange)] }) { api, _ in
      let error = await #expect(throws: ServerAPIError.self) { try await api.subscriptionStatuses(of: "12") }
      #expect(error?.code == .transactionIdNotFound && error?.status == 404)
      let other = await #expect(throws: ServerAPIError.self) { try await api.subscriptionStatuses(of: "12") }
      #expect(other?.code == nil && other?.codeNumber == 4_049_999)
    }
  }

  @Test func foreignSignaturesAreErrors() async throws {
    let foreign = try JWSSigner(identity: TestIdentity.make()).sign(Self.transaction.utf8)
    try await with({ _ in [.init(body: "{\"signedTransactions\":[\"\(foreign)\"]}")] }) { api, _ in
      let error = await #expect(throws: ServerAPIError.self) { try await api.refundHistory(of: "12") }
      guard case .untrusted(let refusal) = error?.reason else {
        Issue.record("expected an untrusted response, found \(String(describing: error))")
        return
      }
      #expect(refusal.reason == .untrustedRoot && refusal.path == "signedTransactions[0]")
    }
  }

  @Test func aTrustedTransactionWithAMemberOfAnotherKindIsAnUnexpectedResponse() async throws {
    try await with({ signer in
      let wrong = Self.transaction.dropLast() + ",\"quantity\":\"one\"}"
      return [.init(body: "{\"signedTransactions\":[\"\(try signer.sign(wrong.utf8))\"]}")]
    }) { api, _ in
      let error = await #expect(throws: ServerAPIError.self) { try await api.refundHistory(of: "12") }
      guard case .unexpectedResponse = error?.reason else {
        Issue.record("expected an unexpected response, found \(String(describing: error))")
        return
      }
      #expect(error?.message.hasPrefix("signedTransactions[0].quantity: ") == true)
    }
  }

  @Test func refusedTokensAreSentTwice() async throws {
    let refused = CannedServer.Response(status: 401, body: "Unauthenticated")
    try await with({ _ in [refused, refused] }) { api, server in
      let error = await #expect(throws: ServerAPIError.self) { try await api.transaction("12") }
      guard case .unauthorized = error?.reason else {
        Issue.record("expected a refused token, found \(String(describing: error))")
        return
      }
      #expect(server.requests.count == 2 && error?.requests == 2)
      #expect(error?.message.contains("key id") == true)
    }
  }
}
