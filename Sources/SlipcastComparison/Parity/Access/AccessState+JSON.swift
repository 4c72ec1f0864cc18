internal import SlipcastMapping
@_spi(Slipcast) package import SlipcastWire

/// The JSON form of a side's access, in reports and in the sort buffer of customers.
extension AccessState {
  /// Writes `access`, `reason`, `until` (milliseconds since 1970 UTC), `record` and `id` of the row, as far as they are
  /// known.
  package func write(to writer: JSONWriter) {
    writer.member("access", access.rawValue)
    writer.member("reason", reason.rawValue)
    writer.member("until", ifPresent: until)
    writer.member("record", ifPresent: record)
    writer.member("id", ifPresent: id)
  }

  /// Reads the same; what is missing or has another spelling is unknown.
  package init(_ element: JSONElement?) {
    self.init()
    access = element?["access"]?.string.flatMap(Access.init(rawValue:)) ?? .unknown
    reason = element?["reason"]?.string.flatMap(AccessReason.init(rawValue:)) ?? .unknown
    (until, record) = (element?["until"]?.integer, element?["record"]?.integer)
    id = element?["id"]?.string
  }
}
