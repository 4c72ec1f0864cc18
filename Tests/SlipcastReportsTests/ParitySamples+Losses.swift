import SlipcastMapping

@testable import SlipcastComparison

/// Missing events, causes, and conflicts by app and month.
extension ParitySamples {
  static var missing: MissingEvents {
    var missing = MissingEvents()
    missing.kinds = [
      .init(side: .legacy, type: "REFUND", isRefund: true, count: 1),
      .init(side: .legacy, type: "DID_RENEW", isRefund: false, count: 339, accepted: 2),
      .init(side: .server, type: "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", isRefund: false, count: 3),
    ]
    missing.legacy =
      [event(.legacy, "REFUND", number: 0)] + (1...14).map { event(.legacy, "DID_RENEW", number: $0) }
    missing.server = [event(.server, "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", number: 20)]
    return missing
  }

  private static func event(_ side: MissingEvent.Side, _ type: String, number: Int) -> MissingEvent {
    var subject = RecordSubject()
    subject.originalTransactionId = "2000000400\(100_000 + number)"
    subject.productId = "com.example.slipcast.pro.monthly"
    var event = MissingEvent(
      side: side, type: type, isRefund: EventName(spelled: type).takesBack, subject: subject,
      time: number == 14 ? nil : start + Int64(number) * day,
      place: RecordPlace(source: "exports/\(side).ndjson", record: 900 + number, id: number == 0 ? "row-4711" : nil))
    event.isAccepted = number == 13
    return event
  }

  /// One that was read in part, one with several ids, and one of which nothing was read; one more is not listed.
  static var unread: UnreadRecords {
    func place(_ side: String, _ record: Int, _ id: String? = nil) -> RecordPlace {
      RecordPlace(source: "exports/\(side).ndjson", record: record, id: id)
    }
    var one = UnreadRecord(
      side: .legacy, place: place("legacy", 12, "row-12"), words: "DID_RENEW of 2000000400200001", code: "wrongKind",
      path: "unified_receipt", message: "expected an object, found number")
    (one.type, one.originalTransactionIds) = ("DID_RENEW", ["2000000400200001"])
    var two = UnreadRecord(
      side: .server, place: place("server", 3_400, "row-99"), words: "record without a type of one of 21, 22",
      code: "unknownRecord", message: "expected a version 2 notification, found another object")
    two.originalTransactionIds = ["21", "22"]
    let three = UnreadRecord(
      side: .legacy, place: place("legacy", 13), words: "nothing of it was read", code: "incomplete",
      message: "cut off in an object")
    var unread = UnreadRecords()
    let four = UnreadRecord(
      side: .server, place: place("server", 3_401, "row-100"), words: "no type and no original transaction id in it",
      code: "unknownRecord", message: "expected a version 2 notification, found another object")
    for record in [one, three, two, four] { unread.add(record) }
    return unread
  }

  static var causes: [ParityCause] {
    var shifted = ParityCause(path: "data.transactionInfo.expiresDate", kind: .shifted, pairs: 1_100, all: 1_180)
    (shifted.by, shifted.isExact) = (-25_200_000, true)
    shifted.common.bundleId = "com.example.slipcast"
    var other = shifted
    other.path = "data.renewalInfo.renewalDate"
    (other.pairs, other.all) = (1_020, 1_020)
    var recoded = ParityCause(path: "data.renewalInfo.priceIncreaseStatus", kind: .recoded, pairs: 9, all: 9)
    (recoded.from, recoded.to) = (.json("0"), .json("1"))
    (recoded.common.since, recoded.common.until) = (start, start + 9 * day)
    let rest = [ParityCause.Kind.absentInV2, .absentInV1, .other].map {
      ParityCause(path: "data.transactionInfo.offerIdentifier", kind: $0, pairs: 2, all: 6)
    }
    return [shifted, other, recoded] + rest
  }

  static let shifts = [0, 0, 3, 1_100, 40, 0, 0, 2, 0, 5, 0, 0, 20, 0, 0, 10]

  static let appMonths = [("com.example.slipcast", 11), ("com.example.slipcast.kids", 0), ("", 2)].flatMap {
    app, conflicts in
    (0..<6).map { month in
      AppMonth(bundleId: app, month: 2024 * 12 + month, pairs: 1_000 + month, conflicting: month == 3 ? conflicts : 0)
    }
  }
}
