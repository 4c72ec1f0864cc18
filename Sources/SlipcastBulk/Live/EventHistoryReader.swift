@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Reads stored V1 notifications as evidence about their subscriptions; for one thread at a time.
package final class EventHistoryReader {
  private let reader: JSONReader
  private let legacy = LegacyReader()
  private let converter: Converter

  /// - Parameter options: those of the conversion; with other rules or options, readings are not the same.
  package init(prepared: Converter.PreparedRules, options: ConvertOptions) {
    reader = JSONReader(
      names: LegacyKey.names, limits: JSONLimits(depth: options.depth, recordBytes: options.recordBytes))
    converter = Converter(prepared: prepared, options: options.conversion, record: legacy.record)
  }

  /// What a notification shows of each of its subscriptions; the first message is about its event.
  ///
  /// - Parameters:
  ///   - number: the number of its event, by which `migration.settled` names it.
  ///   - receivedAt: its received time, where the conversion uses it, in milliseconds since 1970 UTC.
  /// - Returns: nothing for a body that cannot be converted.
  package func messages(
    of body: [UInt8], number: Int64, receivedAt: Int64?
  ) -> [(subscription: Int64, message: HistoryMessage)] {
    let buffer = JSONBuffer(body)
    defer { withExtendedLifetime(buffer) {} }
    guard let tape = try? reader.read(buffer), (try? legacy.read(tape, root: 0)) != nil else {
      return []
    }
    converter.prepare(Converter.Delivery(receivedAt: receivedAt))
    return converter.historyMessages(Settlement.Witness(source: 0, record: Int(number)))
  }
}
