package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Converts single V1 notifications to the bodies that a consumer of V2 receives; for one thread at a time.
package final class LiveConverter {
  private let converter: BlockConverter
  private let block = Block()
  private let page = RowPage()
  private let events: EventSequence

  /// Why the last record was not converted; `nil` when it was.
  private(set) var reject: Reject?

  /// - Parameter options: with an identity, the results are signed.
  package init(prepared: Converter.PreparedRules, rules: RuleSet, options: ConvertOptions) {
    events = EventSequence(RepeatWindows(rules))
    converter = BlockConverter(prepared: prepared, rules: rules, options: options)
  }

  /// The V2 form of a V1 notification, without a line feed.
  ///
  /// - Parameters:
  ///   - id: the id that was decided for the event.
  ///   - receivedAt: becomes `signedDate`, in milliseconds since 1970 UTC; `nil`: as `convert` sets it.
  ///   - settled: how earlier messages settle the reading.
  /// - Returns: `nil` for a record that cannot be converted.
  package func convert(_ body: [UInt8], id: KnownIDs.ID?, receivedAt: Int64?, settled: DecidedSettlement? = nil) throws
    -> [UInt8]?
  {
    page.clear()
    page.append(body.span, receivedAt: receivedAt)
    (page.rows[0].event, page.rows[0].settled) = (id, settled)
    block.fill(with: page)
    converter.work(on: block, source: "")
    try converter.settleEvents(events)
    reject = nil
    guard converter.book.counts.converted == 1 else {
      converter.book.rejects.forEach(source: "", after: 0) { reject = $0 }
      return nil
    }
    return Array(converter.output.buffer.dropLast())
  }
}
