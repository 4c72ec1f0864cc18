public import SlipcastMapping
internal import SlipcastSignatures
public import SlipcastWire

extension LegacyConverter {
  /// Converts an app receipt or an iOS 6 receipt as the `verifyReceipt` response that has its content.
  ///
  /// The receipt is not verified: `RecordVerifier` does that.
  ///
  ///     let conversion = try LegacyConverter().convert(receipt: base64.utf8)
  ///
  /// - Parameters:
  ///   - receipt: as the device or a server has it: base64 with or without line ends, binary, or a property list.
  ///   - receivedAt: when it was received, if that is known.
  ///   - emission: what to convert it to; by default the history of its purchases.
  /// - Throws: `Refusal` for bytes that are not a readable receipt, and the errors of `convert(_:)`.
  public func convert(
    receipt: some Sequence<UInt8>, receivedAt: Timestamp? = nil, into emission: Emission = .auto
  ) throws -> Conversion {
    try convert(ReceiptDecoder(rules: rules).answer(Array(receipt)), receivedAt: receivedAt, into: emission)
  }
}
