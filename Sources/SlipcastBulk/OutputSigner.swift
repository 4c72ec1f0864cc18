internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Turns the converted record of the moment into Apple's wire shape; one signer serves one worker.
final class OutputSigner {
  private let signer: PayloadSigner
  private let reader: JSONReader
  private let scratch = JSONWriter(capacity: 16 << 10)

  init(identity: TestIdentity) {
    signer = PayloadSigner(identity: identity)
    // What was cast is never refused for its size: a record of many transactions can be longer than its source.
    reader = JSONReader(names: [], limits: JSONLimits(recordBytes: 1 << 30))
  }

  /// Where the record is to be written in its decoded form.
  func begin() -> JSONWriter {
    scratch.clear()
    return scratch
  }

  /// What was written since `begin`.
  var decoded: UnsafeBufferPointer<UInt8> { scratch.buffer }

  /// Signs what was written since `begin`.
  ///
  /// - Parameter asOf: when the record's states held; payloads that know no date of their own were signed then.
  func sign(asOf: Timestamp?, to output: JSONWriter) throws(SigningError) {
    scratch.reserve(JSONReader.padding)
    try signer.sign(scratch.buffer, with: reader, fallback: asOf, to: output)
  }
}
