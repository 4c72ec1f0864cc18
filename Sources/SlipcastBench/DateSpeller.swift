@_spi(Slipcast) import SlipcastWire

/// Writes a date in Apple's three spellings: Greenwich text, milliseconds, and Pacific wall time as it truly was.
struct DateSpeller {
  private let daylight = DaylightTime()

  /// The names of one date's three fields.
  struct Names {
    var greenwich: StaticString
    var milliseconds: StaticString
    var pacific: StaticString

    static let purchase = Names(
      greenwich: "purchase_date", milliseconds: "purchase_date_ms", pacific: "purchase_date_pst")
    static let originalPurchase = Names(
      greenwich: "original_purchase_date", milliseconds: "original_purchase_date_ms",
      pacific: "original_purchase_date_pst")
    static let expires = Names(
      greenwich: "expires_date", milliseconds: "expires_date_ms", pacific: "expires_date_pst")
    static let cancellation = Names(
      greenwich: "cancellation_date", milliseconds: "cancellation_date_ms", pacific: "cancellation_date_pst")
    static let grace = Names(
      greenwich: "grace_period_expires_date", milliseconds: "grace_period_expires_date_ms",
      pacific: "grace_period_expires_date_pst")
    static let statusChange = Names(
      greenwich: "auto_renew_status_change_date", milliseconds: "auto_renew_status_change_date_ms",
      pacific: "auto_renew_status_change_date_pst")
  }

  func write(_ names: Names, _ milliseconds: Int64, to writer: JSONWriter) {
    let seconds = milliseconds / 1000
    writer.name(names.greenwich)
    write(seconds, " Etc/GMT\"", to: writer)
    writer.field(names.milliseconds, digits: milliseconds)
    writer.name(names.pacific)
    let offset: Int64 = daylight.isObserved(at: seconds) ? 7 * 3600 : 8 * 3600
    write(seconds - offset, " America/Los_Angeles\"", to: writer)
  }

  private func write(_ seconds: Int64, _ zone: StaticString, to writer: JSONWriter) {
    let time = CivilTime(secondsSince1970: seconds)
    writer.byte(UInt8(ascii: "\""))
    writer.integer(Int64(time.year))
    for (mark, number) in [
      ("-", time.month), ("-", time.day), (" ", time.hour), (":", time.minute), (":", time.second),
    ] as [(Unicode.Scalar, Int)] {
      writer.byte(UInt8(ascii: mark))
      writer.byte(UInt8(ascii: "0") + UInt8(number / 10))
      writer.byte(UInt8(ascii: "0") + UInt8(number % 10))
    }
    writer.raw(zone)
  }
}

extension JSONWriter {
  func open() {
    comma()
    byte(UInt8(ascii: "{"))
  }

  /// `"name":`, with a comma before it unless it opens the object.
  func name(_ name: StaticString) {
    comma()
    byte(UInt8(ascii: "\""))
    raw(name)
    raw("\":")
  }

  func field(_ name: StaticString, _ value: StaticString) {
    self.name(name)
    byte(UInt8(ascii: "\""))
    raw(value)
    byte(UInt8(ascii: "\""))
  }

  func field(_ name: StaticString, digits value: Int64) {
    self.name(name)
    byte(UInt8(ascii: "\""))
    integer(value)
    byte(UInt8(ascii: "\""))
  }
}

extension StaticString {
  static func == (left: StaticString, right: StaticString) -> Bool {
    JSONText(left) == JSONText(right)
  }
}
