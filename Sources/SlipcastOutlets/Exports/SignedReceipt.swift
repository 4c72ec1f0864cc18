internal import SlipcastMapping
internal import SlipcastReceipts
internal import SlipcastSignatures
internal import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// A receipt that is trusted.
struct SignedReceipt: Sendable {
  /// The receipt itself, without base64 around it.
  var bytes: [UInt8]
  /// When it was made, in milliseconds since 1970 UTC.
  var date: Int64?
  var bundleId: String?
  /// The original transaction ids, and the transaction ids, of the purchases in it.
  var ids: Set<String> = []

  /// A receipt that is not trusted.
  struct Untrusted: Error {}

  /// - Returns: `nil` for a text that is not a receipt.
  /// - Throws: for one that is not trusted.
  init?(_ text: [UInt8], _ verifier: SignedRecordVerifier, _ decoder: ReceiptDecoder) throws(Untrusted) {
    guard let receipt = try? ReceiptText(text) else { return nil }
    guard verifier.verify(receipt).isValid else { throw Untrusted() }
    guard let answer = try? decoder.answer(text) else { return nil }
    bytes = receipt.bytes
    JSONReader(names: []).parse(JSONBuffer(answer)) { root in
      guard let receipt = root["receipt"] else { return }
      let dates = ["receipt_creation_date_ms", "request_date_ms", "purchase_date_ms"]
      date = dates.lazy.compactMap { receipt[$0]?.anyInteger }.first
      bundleId = receipt["bundle_id"]?.anyText ?? receipt["bid"]?.anyText
      for purchase in (receipt["in_app"]?.children ?? []) + [receipt] {
        for name in ["original_transaction_id", "transaction_id"] {
          if let id = purchase[name]?.anyText { ids.insert(id) }
        }
      }
    }
  }
}

/// Receipts in a temporary file, because those of an archive do not fit into memory.
final class ReceiptSpool {
  struct Place: Sendable {
    var offset: Int
    var count: Int
    var date: Int64?
  }

  private let descriptor: Int32
  private var end = 0

  /// - Throws: `FileError`.
  init() throws { descriptor = try Platform.unnamedFile() }

  deinit { Platform.close(descriptor) }

  func append(_ receipt: SignedReceipt) throws -> Place {
    try Platform.write(descriptor, receipt.bytes.span, path: "temporary file")
    defer { end += receipt.bytes.count }
    return Place(offset: end, count: receipt.bytes.count, date: receipt.date)
  }

  func read(_ place: Place) throws -> [UInt8] { try Platform.read(descriptor, at: place.offset, count: place.count) }
}
