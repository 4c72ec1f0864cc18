internal import SlipcastSignatures
internal import SlipcastV2

extension JWSVerifier {
  /// Verifies and decodes transactions; a refusal names the place of its token.
  func transactions(_ tokens: [String]) throws(Refusal) -> [JWSTransactionDecodedPayload] {
    var found: [JWSTransactionDecodedPayload] = []
    for (place, token) in tokens.enumerated() {
      found.append(try at("signedTransactions[\(place)]") { () throws(Refusal) in try transaction(token).value })
    }
    return found
  }

  func notifications(_ tokens: [String]) throws(Refusal) -> [ResponseBodyV2DecodedPayload] {
    var found: [ResponseBodyV2DecodedPayload] = []
    for (place, token) in tokens.enumerated() {
      let path = "notificationHistory[\(place)].signedPayload"
      found.append(try at(path) { () throws(Refusal) in try notification(token).value })
    }
    return found
  }

  /// The same response with what is signed in it also decoded.
  func decoding(_ response: StatusResponse) throws(Refusal) -> StatusResponse {
    var response = response
    for group in (response.data ?? []).indices {
      for item in (response.data?[group].lastTransactions ?? []).indices {
        guard var found = response.data?[group].lastTransactions?[item] else { continue }
        let path = "data[\(group)].lastTransactions[\(item)]"
        if let token = found.signedTransactionInfo {
          found.transactionInfo = try at("\(path).signedTransactionInfo") { () throws(Refusal) in
            try transaction(token).value
          }
        }
        if let token = found.signedRenewalInfo {
          found.renewalInfo = try at("\(path).signedRenewalInfo") { () throws(Refusal) in
            try renewalInfo(token).value
          }
        }
        response.data?[group].lastTransactions?[item] = found
      }
    }
    return response
  }

  private func at<Value>(_ path: String, _ decode: () throws(Refusal) -> Value) throws(Refusal) -> Value {
    do throws(Refusal) {
      return try decode()
    } catch {
      throw Refusal(error.reason, error.detail, path: error.path.isEmpty ? path : "\(path).\(error.path)")
    }
  }
}
