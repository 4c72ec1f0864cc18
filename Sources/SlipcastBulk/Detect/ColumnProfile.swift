/// What the first rows have at one place: never their values.
package struct ColumnProfile: Sendable {
  /// The place; the empty pointer is the row itself.
  package private(set) var pointer: JSONPointer
  /// How many rows have a value there.
  package private(set) var rows = 0
  /// The records there.
  package private(set) var records: [RecordContent: Int] = [:]
  /// How many values are readable as a time of these decades.
  package private(set) var times = 0
  /// Short texts and numbers, and how many different ones, as hashes.
  private var scalars = 0
  private var hashes: Set<Int> = []

  /// Times before the first server notifications, and long after the last ones, are numbers that mean something else.
  private static let plausible = 1_420_070_400_000..<4_102_444_800_000 as Range<Int64>
  private static let longest = 200

  init(_ pointer: JSONPointer) { self.pointer = pointer }

  /// The records there by their kinds.
  package var kinds: [String: Int] { records.reduce(into: [:]) { $0[$1.key.kind, default: 0] += $1.value } }
  /// How many records are there.
  package var recordCount: Int { records.values.reduce(0, +) }
  /// Some of them are messages about events.
  package var hasNotifications: Bool { records.keys.contains(where: \.isNotification) }
  /// How many different short texts and numbers there are.
  var different: Int { hashes.count }
  /// Each row has another short text or number there.
  func isUnique(in rows: Int) -> Bool { rows > 0 && scalars == rows && hashes.count == rows }
  /// Nearly all rows have a short text or number there that no other row has: a delivery may be stored twice.
  func isNearlyUnique(in rows: Int) -> Bool { hashes.count.isNearlyAll(of: rows) }
  /// Nearly all rows have a time there: a few may have none, or one in another form.
  func holdsTimes(in rows: Int) -> Bool { times.isNearlyAll(of: rows) }

  /// Adds what another file has there.
  mutating func add(_ other: ColumnProfile) {
    rows += other.rows
    times += other.times
    scalars += other.scalars
    hashes.formUnion(other.hashes)
    records.merge(other.records, uniquingKeysWith: +)
  }

  /// The same under the name of a column.
  package func named(_ name: String) -> ColumnProfile {
    var column = self
    column.pointer = JSONPointer(tokens: [name])
    return column
  }

  mutating func note(_ content: RecordContent) {
    rows += 1
    records[content, default: 0] += 1
  }

  /// Notes a text or a number that is not a record.
  mutating func note(scalar text: String) {
    guard !text.isEmpty else { return }
    rows += 1
    guard text.utf8.count <= Self.longest else { return }
    scalars += 1
    hashes.insert(text.hashValue)
    if let time = ReceivedTime.milliseconds(text), Self.plausible.contains(time) { times += 1 }
  }

  /// Notes any other value.
  mutating func noteOther() { rows += 1 }
}

extension Int {
  /// At least nine of ten: what a column has in so many rows it is for; the rest are exceptions, which are counted.
  func isNearlyAll(of whole: Int) -> Bool { self > 0 && self * 10 >= whole * 9 }
}
