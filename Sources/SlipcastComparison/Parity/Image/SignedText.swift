@_spi(Slipcast) internal import SlipcastWire

/// What a signed payload holds, decoded without trust; kept until the next one.
final class SignedText {
  private let reader: JSONReader
  private var text: JSONBuffer?

  init(_ limits: JSONLimits) { reader = JSONReader(names: PartTable.shared.names, limits: limits) }

  /// Takes a token apart; `nil` when it is none.
  func hold(_ token: UnsafeBufferPointer<UInt8>) -> SignedText? {
    guard let parts = CompactJWS(String(decoding: token, as: UTF8.self)) else { return nil }
    text = JSONBuffer(parts.payload)
    return self
  }

  /// Reads what is held.
  func read() throws(JSONError) -> JSONTape {
    guard let text else { throw JSONError(reason: .empty) }
    return try reader.read(text.base, count: text.count)
  }
}
