// Unsafe on purpose, and only here: rows of fixed width in three parallel buffers that only this class owns. Every row
// number comes from `add`, every key and instant is an enum case, so no index can leave its row.

/// The objects of one record as rows: for every key the index of its value on the tape, for every date its instant.
@_spi(Slipcast) public final class LegacyRows {
  @usableFromInline static let width = 96
  @usableFromInline static let dates = 10
  /// A missing instant; so far away that a difference with a real one can neither overflow nor seem near.
  @inlinable public static var noInstant: Int64 { -1 << 62 }

  /// Where the rows are, and how many.
  @usableFromInline struct Buffers {
    @usableFromInline var slots: UnsafeMutablePointer<UInt32>
    @usableFromInline var instants: UnsafeMutablePointer<Int64>
    @usableFromInline var sources: UnsafeMutablePointer<UInt32>
    @usableFromInline var origins: UnsafeMutablePointer<UInt32>
    @usableFromInline var count = 0
    var capacity = 32

    init() {
      slots = .allocate(capacity: capacity * LegacyRows.width)
      instants = .allocate(capacity: capacity * LegacyRows.dates)
      sources = .allocate(capacity: capacity * LegacyRows.dates)
      origins = .allocate(capacity: capacity)
    }
  }

  // Unchecked exclusivity: rows belong to one thread and return no reference into themselves.
  @exclusivity(unchecked) @usableFromInline var buffers = Buffers()
  /// Texts of dates of the current row, one for each date and zone; `index` 0 if absent.
  private let texts: UnsafeMutablePointer<TextDate>

  /// A date from a text.
  struct TextDate {
    /// Since 1970, on the clock of the text's zone.
    var seconds: Int64 = 0
    var index = 0
  }

  /// The number of rows.
  @inlinable public var count: Int { buffers.count }

  /// Creates an object without rows.
  public init() {
    precondition(LegacyKey.count <= Self.width && LegacyInstant.count == Self.dates, "a row is too narrow")
    texts = .allocate(capacity: 2 * Self.dates)
    texts.initialize(repeating: TextDate(), count: 2 * Self.dates)
  }

  deinit {
    buffers.slots.deallocate()
    buffers.instants.deallocate()
    buffers.sources.deallocate()
    buffers.origins.deallocate()
    texts.deallocate()
  }

  func clear() { buffers.count = 0 }

  /// Adds a row for the object at an index on the tape.
  func add(origin: Int) -> Int {
    if buffers.count == buffers.capacity { grow() }
    let row = buffers.count
    (buffers.slots + row * Self.width).update(repeating: 0, count: Self.width)
    (buffers.instants + row * Self.dates).update(repeating: Self.noInstant, count: Self.dates)
    (buffers.sources + row * Self.dates).update(repeating: 0, count: Self.dates)
    buffers.origins[row] = UInt32(truncatingIfNeeded: origin)
    buffers.count = row + 1
    return row
  }

  private func grow() {
    let (count, capacity) = (buffers.count, buffers.capacity * 2)
    func enlarge<Value>(_ old: inout UnsafeMutablePointer<Value>, _ width: Int) {
      let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * width)
      larger.update(from: old, count: count * width)
      old.deallocate()
      old = larger
    }
    enlarge(&buffers.slots, Self.width)
    enlarge(&buffers.instants, Self.dates)
    enlarge(&buffers.sources, Self.dates)
    enlarge(&buffers.origins, 1)
    buffers.capacity = capacity
  }

  /// A row while it is filled; valid until the next one is added.
  struct Place {
    fileprivate let slots: UnsafeMutablePointer<UInt32>
    fileprivate let instants: UnsafeMutablePointer<Int64>
    fileprivate let sources: UnsafeMutablePointer<UInt32>

    /// The key by its number; the tape gets the number from the table of known names.
    @inline(__always)
    func setSlot(_ key: Int, _ index: Int) { slots[key] = UInt32(truncatingIfNeeded: index) }

    /// The date by its number, which comes from the table of keys; milliseconds since 1970 UTC.
    @inline(__always)
    func setInstant(_ date: Int, _ milliseconds: Int64, from index: Int) {
      instants[date] = milliseconds
      sources[date] = UInt32(truncatingIfNeeded: index)
    }
  }

  func place(_ row: Int) -> Place {
    precondition(row >= 0 && row < count, "row out of range")
    return Place(
      slots: buffers.slots + row * Self.width, instants: buffers.instants + row * Self.dates,
      sources: buffers.sources + row * Self.dates)
  }

  /// The object's index on the tape.
  public func origin(_ row: Int) -> Int {
    precondition(row >= 0 && row < count, "row out of range")
    return Int(buffers.origins[row])
  }

  /// The value's index on the tape, or 0 when the row has no usable value of that name.
  @inlinable @inline(__always)
  public func slot(_ row: Int, _ key: LegacyKey) -> Int {
    precondition(row >= 0 && row < count, "row out of range")
    return Int(buffers.slots[row * Self.width + Int(key.rawValue)])
  }

  /// Forgets a key that occurs a second time, and the date that was read from it.
  func clear(_ row: Int, _ key: LegacyKey, _ date: LegacyInstant?) {
    let old = slot(row, key)
    setSlot(row, key, 0)
    if let date, old != 0, source(row, date) == old { setInstant(row, date, Self.noInstant, from: 0) }
  }

  func setSlot(_ row: Int, _ key: LegacyKey, _ index: Int) { place(row).setSlot(Int(key.rawValue), index) }

  /// Milliseconds since 1970 UTC, or `noInstant`.
  @inlinable @inline(__always)
  public func instant(_ row: Int, _ date: LegacyInstant) -> Int64 {
    precondition(row >= 0 && row < count, "row out of range")
    return buffers.instants[row * Self.dates + date.rawValue]
  }

  /// The index on the tape of the spelling that an instant was read from.
  @inlinable @inline(__always)
  public func source(_ row: Int, _ date: LegacyInstant) -> Int {
    Int(buffers.sources[row * Self.dates + date.rawValue])
  }

  func setInstant(_ row: Int, _ date: LegacyInstant, _ milliseconds: Int64, from index: Int) {
    place(row).setInstant(date.rawValue, milliseconds, from: index)
  }

  /// The text of a date of the current row; the date by its number.
  @inline(__always)
  func text(_ date: Int, isPacific: Bool) -> TextDate { texts[isPacific ? Self.dates + date : date] }

  @inline(__always)
  func setText(_ date: Int, isPacific: Bool, _ text: TextDate) { texts[isPacific ? Self.dates + date : date] = text }
}
