package import SlipcastMapping

/// The fields of a comparison, in order.
///
/// A history of 20,000 transactions has half a million of them. Each is put into words when it is asked for.
public struct FieldDifferences: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral, Sendable {
  /// What is known of a field without putting it into words.
  package struct Facts: Sendable {
    package let differenceClass: DifferenceClass
    /// V1's value cannot be read.
    package let isUnreadable: Bool
    /// An ignore file took it out of the verdict.
    package let isIgnored: Bool
    /// It has a column with what a device would have said.
    package let hasStoreKit: Bool

    fileprivate init(_ differenceClass: DifferenceClass, isUnreadable: Bool) {
      (self.differenceClass, self.isUnreadable, isIgnored, hasStoreKit) = (differenceClass, isUnreadable, false, false)
    }

    package init(_ field: FieldDifference) {
      (differenceClass, isUnreadable) = (field.differenceClass, field.isUnreadable)
      (isIgnored, hasStoreKit) = (field.ignored != nil, field.storekit != nil)
    }
  }

  /// A field as it is kept.
  private struct Row {
    enum Content {
      case found(RowMaker.Found, RowMaker)
      case unmapped(RowMaker.Unmapped, RowMaker)
      indirect case whole(FieldDifference)
    }

    let facts: Facts
    let content: Content

    init(_ field: FieldDifference) { (facts, content) = (Facts(field), .whole(field)) }
    init(_ facts: Facts, _ content: Content) { (self.facts, self.content) = (facts, content) }
  }

  private var rows: [Row] = []

  init() {}

  /// Fields that are at hand.
  public init(_ fields: some Sequence<FieldDifference>) { rows = fields.map { Row($0) } }

  /// Fields that are at hand.
  public init(arrayLiteral fields: FieldDifference...) { self.init(fields) }

  /// The place of the first field.
  public var startIndex: Int { 0 }
  /// The number of fields.
  public var endIndex: Int { rows.count }

  /// A field, put into words.
  public subscript(position: Int) -> FieldDifference {
    get {
      switch rows[position].content {
      case .found(let found, let maker): maker.row(found)
      case .unmapped(let value, let maker): maker.row(value.account(maker.rules))
      case .whole(let field): field
      }
    }
    set { rows[position] = Row(newValue) }
  }

  /// What is known of a field without putting it into words.
  package func facts(_ position: Int) -> Facts { rows[position].facts }

  /// The same of all fields.
  package var facts: some Sequence<Facts> { indices.lazy.map { facts($0) } }

  mutating func append(_ field: FieldDifference) { rows.append(Row(field)) }

  mutating func append(_ found: RowMaker.Found, _ maker: RowMaker) {
    let facts = Facts(found.outcome.differenceClass, isUnreadable: found.outcome.kind == .unreadable)
    rows.append(Row(facts, .found(found, maker)))
  }

  mutating func append(_ value: RowMaker.Unmapped, _ maker: RowMaker) {
    let fate = value.value.fate
    rows.append(Row(Facts(fate.differenceClass, isUnreadable: fate == .unreadable), .unmapped(value, maker)))
  }
}

extension FieldDifferences: Hashable {
  /// Both have the same fields.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  /// Hashes all fields.
  public func hash(into hasher: inout Hasher) { for field in self { hasher.combine(field) } }
}
