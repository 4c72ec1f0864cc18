package import SlipcastMapping
internal import SlipcastReceipts
package import SlipcastStores
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Adds single notifications to an index of customers as they arrive; for one thread at a time.
package final class CustomerIntake {
  private let converter: RecordConverter
  private let reader = PartReader()

  /// - Parameter prepared: compiled rules.
  package init(prepared: Converter.PreparedRules) { converter = RecordConverter(prepared: prepared) }

  /// Adds a notification, whose signatures or secret were checked when it arrived.
  ///
  /// - Parameters:
  ///   - isLegacy: it is of version 1, and counts as what it is converted to. One that cannot be converted adds nothing.
  ///   - receivedAt: when it arrived, in milliseconds.
  /// - Throws: `StoreError` when the disk is full.
  package func add(
    _ body: [UInt8], isLegacy: Bool, receivedAt: Int64, from origin: String, to index: CustomerIndex
  ) throws(StoreError) {
    var parts: [V2Part] = []
    for text in isLegacy ? converted(body, receivedAt) : [body] {
      parts += reader.read(text: text, from: "")
    }
    try CustomerScan.keep(parts, from: origin, in: index)
  }

  private func converted(_ body: [UInt8], _ receivedAt: Int64) -> [[UInt8]] {
    [Emission.history, .statuses].compactMap { emission in
      let time = Timestamp(milliseconds: receivedAt)
      return (try? converter.convert(body, receivedAt: time, into: emission)).map { Array($0.json.utf8) }
    }
  }
}
