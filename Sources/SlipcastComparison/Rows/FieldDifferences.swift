package import SlipcastMapping

/// The fields of a comparison, in order.
///
/// A history of 20,000 transactions has half a million of them. They are kept in a compact form, and each is put into
/// words when it is asked for.
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

    init(differenceClass: DifferenceClass, isUnreadable: Bool, isIgnored: Bool, hasStoreKit: Bool) {
      (self.differenceClass, self.isUnreadable) = (differenceClass, isUnreadable)
      (self.isIgnored, self.hasStoreKit) = (isIgnored, hasStoreKit)
    }

    package init(_ field: FieldDifference) {
      self.init(
        differenceClass: field.differenceClass, isUnreadable: field.isUnreadable, isIgnored: field.ignored != nil,
        hasStoreKit: field.storekit != nil)
    }
  }

  /// Where a field is kept.
  private struct Place {
    var differenceClass: DifferenceClass
    var isUnreadable = false
    /// It is in `whole`, else in `compact`.
    var isWhole: Bool
    var number: UInt32

    init(compact number: Int, _ differenceClass: DifferenceClass, isUnreadable: Bool) {
      (self.differenceClass, self.isUnreadable) = (differenceClass, isUnreadable)
      (isWhole, self.number) = (false, UInt32(number))
    }

    init(_ field: FieldDifference, _ number: Int) {
      (differenceClass, isUnreadable) = (field.differenceClass, field.isUnreadable)
      (isWhole, self.number) = (true, UInt32(number))
    }
  }

  private var places: [Place] = []
  private var whole: [FieldDifference] = []
  private let compact: CompactRows?

  /// Fields that are at hand.
  public init(_ fields: some Sequence<FieldDifference>) {
    compact = nil
    for field in fields { append(field) }
  }

  /// Fields that are at hand.
  public init(arrayLiteral fields: FieldDifference...) { self.init(fields) }

  init(compact: CompactRows) { self.compact = compact }

  /// The place of the first field.
  public var startIndex: Int { 0 }
  /// The number of fields.
  public var endIndex: Int { places.count }

  /// A field, put into words.
  public subscript(position: Int) -> FieldDifference {
    get {
      let place = places[position]
      guard !place.isWhole, let compact else { return whole[Int(place.number)] }
      return compact.row(Int(place.number), place.differenceClass)
    }
    set {
      if !places[position].isWhole {
        places[position] = Place(newValue, whole.count)
        whole.append(newValue)
      } else {
        let number = Int(places[position].number)
        places[position] = Place(newValue, number)
        whole[number] = newValue
      }
    }
  }

  /// What is known of a field without putting it into words.
  package func facts(_ position: Int) -> Facts {
    let place = places[position]
    if place.isWhole { return Facts(whole[Int(place.number)]) }
    return Facts(
      differenceClass: place.differenceClass, isUnreadable: place.isUnreadable, isIgnored: false, hasStoreKit: false)
  }

  /// The same of all fields.
  package var facts: some Sequence<Facts> { indices.lazy.map { facts($0) } }

  mutating func append(_ field: FieldDifference) {
    places.append(Place(field, whole.count))
    whole.append(field)
  }

  /// Appends a field that the compact rows have at a place.
  mutating func append(compact number: Int, _ differenceClass: DifferenceClass, isUnreadable: Bool) {
    places.append(Place(compact: number, differenceClass, isUnreadable: isUnreadable))
  }
}

extension FieldDifferences: Hashable {
  /// Both have the same fields.
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  /// Hashes all fields.
  public func hash(into hasher: inout Hasher) { for field in self { hasher.combine(field) } }
}
