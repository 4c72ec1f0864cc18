// Unsafe on purpose, and only here: rows of fixed width in three parallel buffers that this class alone owns. Every row
// number comes from `add`, every key and instant is an enum case, so no index can leave its row.

/// The objects of one record, each as a row: for every key the place of its value on the tape, for every date its instant.
@_spi(Slipcast) public final class LegacyRows {
  @usableFromInline static let width = 96
  @usableFromInline static let dates = 10
  /// An instant that is not there; so far off that a difference with a real one can neither overflow nor seem near.
  @inlinable public static var noInstant: Int64 { -1 << 62 }

  // Unchecked exclusivity: rows belong to one thread and hand out no reference into themselves.
  @exclusivity(unchecked) @usableFromInline var slots: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) @usableFromInline var instants: UnsafeMutablePointer<Int64>
  @exclusivity(unchecked) @usableFromInline var sources: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private var origins: [UInt32] = []
  @exclusivity(unchecked) private var capacity = 32
  /// How many rows there are.
  @exclusivity(unchecked) public internal(set) var count = 0

  /// No rows yet.
  public init() {
    precondition(LegacyKey.count <= Self.width && LegacyInstant.count == Self.dates, "a row is too narrow")
    slots = .allocate(capacity: capacity * Self.width)
    instants = .allocate(capacity: capacity * Self.dates)
    sources = .allocate(capacity: capacity * Self.dates)
  }

  deinit {
    slots.deallocate()
    instants.deallocate()
    sources.deallocate()
  }

  func clear() {
    count = 0
    origins.removeAll(keepingCapacity: true)
  }

  /// A new row for the object at a place on the tape.
  func add(origin: Int) -> Int {
    if count == capacity { grow() }
    (slots + count * Self.width).update(repeating: 0, count: Self.width)
    (instants + count * Self.dates).update(repeating: Self.noInstant, count: Self.dates)
    (sources + count * Self.dates).update(repeating: 0, count: Self.dates)
    origins.append(UInt32(origin))
    count += 1
    return count - 1
  }

  private func grow() {
    func enlarge<Value>(_ old: inout UnsafeMutablePointer<Value>, _ width: Int) {
      let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2 * width)
      larger.update(from: old, count: count * width)
      old.deallocate()
      old = larger
    }
    enlarge(&slots, Self.width)
    enlarge(&instants, Self.dates)
    enlarge(&sources, Self.dates)
    capacity *= 2
  }

  /// The object's place on the tape.
  public func origin(_ row: Int) -> Int { Int(origins[row]) }

  /// The value's place on the tape, or 0 when the row has no usable value of that name.
  @inlinable @inline(__always)
  public func slot(_ row: Int, _ key: LegacyKey) -> Int {
    precondition(row >= 0 && row < count, "row out of range")
    return Int(slots[row * Self.width + Int(key.rawValue)])
  }

  /// Forgets a key that stands a second time, and the date that was read from it.
  func clear(_ row: Int, _ key: LegacyKey, _ date: LegacyInstant?) {
    let old = slot(row, key)
    setSlot(row, key, 0)
    if let date, old != 0, source(row, date) == old { setInstant(row, date, Self.noInstant, from: 0) }
  }

  @inline(__always)
  func setSlot(_ row: Int, _ key: LegacyKey, _ index: Int) { setSlot(row, Int(key.rawValue), index) }

  /// The key by its number, which the tape has only from the table of known names.
  @inline(__always)
  func setSlot(_ row: Int, _ key: Int, _ index: Int) {
    slots[row * Self.width + key] = UInt32(truncatingIfNeeded: index)
  }

  /// Milliseconds since 1970 UTC, or `noInstant`.
  @inlinable @inline(__always)
  public func instant(_ row: Int, _ date: LegacyInstant) -> Int64 {
    precondition(row >= 0 && row < count, "row out of range")
    return instants[row * Self.dates + date.rawValue]
  }

  /// The place on the tape of the spelling that an instant was read from.
  @inlinable @inline(__always)
  public func source(_ row: Int, _ date: LegacyInstant) -> Int { Int(sources[row * Self.dates + date.rawValue]) }

  @inline(__always)
  func setInstant(_ row: Int, _ date: LegacyInstant, _ milliseconds: Int64, from index: Int) {
    setInstant(row, date.rawValue, milliseconds, from: index)
  }

  /// The date by its number, which comes from the table of keys.
  @inline(__always)
  func setInstant(_ row: Int, _ date: Int, _ milliseconds: Int64, from index: Int) {
    instants[row * Self.dates + date] = milliseconds
    sources[row * Self.dates + date] = UInt32(truncatingIfNeeded: index)
  }
}
