public import SlipcastV2
internal import SlipcastWire

extension JWSVerifier {
  /// Verifies and decodes a signed transaction.
  ///
  /// - Throws: `Refusal` when it is not trusted, and with the reason `memberKind` when it is, and a member has another
  ///   kind of value than Apple documents.
  public func transaction(_ token: String) throws(Refusal) -> Verified<JWSTransactionDecodedPayload> {
    try decoded(token, .transaction)
  }

  /// Verifies and decodes a signed renewal info.
  ///
  /// - Throws: `Refusal`, as `transaction`.
  public func renewalInfo(_ token: String) throws(Refusal) -> Verified<JWSRenewalInfoDecodedPayload> {
    try decoded(token, .renewalInfo)
  }

  /// Verifies and decodes a signed app transaction.
  ///
  /// - Throws: `Refusal`, as `transaction`.
  public func appTransaction(_ token: String) throws(Refusal) -> Verified<AppTransaction> {
    try decoded(token, .appTransaction)
  }

  /// Verifies and decodes the signed payload of a notification.
  ///
  /// The transaction and renewal info inside it are verified and decoded too (`data.transactionInfo`,
  /// `data.renewalInfo`).
  ///
  /// - Throws: `Refusal`, as `transaction`, when one of them is not trusted.
  public func notification(_ token: String) throws(Refusal) -> Verified<ResponseBodyV2DecodedPayload> {
    let outer: Verified<ResponseBodyV2DecodedPayload> = try decoded(token, .notification)
    var payload = outer.value
    if let signed = payload.data?.signedTransactionInfo {
      payload.data?.transactionInfo = try decode(signed, "data.signedTransactionInfo") as JWSTransactionDecodedPayload
    }
    if let signed = payload.data?.signedRenewalInfo {
      payload.data?.renewalInfo = try decode(signed, "data.signedRenewalInfo") as JWSRenewalInfoDecodedPayload
    }
    return Verified(payload, outer.certificates)
  }

  private func decoded<Model: FieldModel>(_ token: String, _ kind: SignedKind) throws(Refusal) -> Verified<Model> {
    let verdict = verify(token, expecting: kind)
    if let refusal = verdict.refusal { throw refusal }
    return Verified(try decode(token), verdict.certificates)
  }

  private func decode<Model: FieldModel>(_ token: String, _ path: String = "") throws(Refusal) -> Model {
    guard let parts = CompactJWS(token) else { throw Refusal(.payloadUnreadable) }
    do {
      return try Model(json: parts.payload)
    } catch let error as FieldError {
      let path = [path, error.path.description].filter { !$0.isEmpty }.joined(separator: ".")
      throw Refusal(.memberKind, "expected \(error.expected), found \(error.found)", path: path)
    } catch {
      throw Refusal(.payloadUnreadable, "\(error)")
    }
  }
}
