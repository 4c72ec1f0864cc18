@_spi(Slipcast) package import SlipcastWire

/// The body of a request for notifications.
package struct NotificationWindow: Sendable {
  package var times: ClosedRange<Timestamp>
  /// The customer; `nil` for all.
  package var id: String?

  package init(times: ClosedRange<Timestamp>, id: String?) { (self.times, self.id) = (times, id) }

  package var json: [UInt8] {
    JSONWriter.object(capacity: 128) { writer in
      writer.member("startDate", times.lowerBound.milliseconds)
      writer.member("endDate", times.upperBound.milliseconds)
      writer.member("transactionId", ifPresent: id)
    }.bytes
  }
}
