@_spi(Slipcast) package import SlipcastWire

/// The body of a request for notifications.
package struct NotificationWindow: Sendable {
  package var times: ClosedRange<Timestamp>
  /// The customer; `nil` for all.
  package var id: String?

  package init(times: ClosedRange<Timestamp>, id: String?) { (self.times, self.id) = (times, id) }

  package var json: [UInt8] {
    let writer = JSONWriter(capacity: 128)
    writer.raw("{")
    writer.member("startDate", Int(times.lowerBound.milliseconds))
    writer.member("endDate", Int(times.upperBound.milliseconds))
    if let id { writer.member("transactionId", id) }
    writer.raw("}")
    return writer.bytes
  }
}
