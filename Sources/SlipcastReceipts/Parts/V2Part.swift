package import SlipcastMapping
package import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// A value of a V2 object, as far as V1 could have it.
package enum V2Value: Sendable {
  case text(String)
  case integer(Int64)
  case boolean(Bool)
  /// A list or an object: V1 has nothing like it.
  case other

  /// `nil` for the member of an object that is a part itself.
  package init?(_ cell: Cell) {
    switch cell.kind {
    case .text: self = .text(cell.text?.string ?? "")
    case .integer: self = .integer(cell.integer)
    case .boolean: self = .boolean(cell.integer != 0)
    case .list, .mismatched: self = .other
    case .row: return nil
    }
  }

  /// A member that no field table lists; `nil` for null.
  package init?(_ element: JSONElement) {
    switch element.kind {
    case .string: self = .text(element.string ?? "")
    case .number: self = element.milliseconds.map(V2Value.integer) ?? .other
    case .true, .false: self = .boolean(element.kind == .true)
    case .null: return nil
    default: self = .other
    }
  }

  /// The value as conditions of rules name it.
  package var word: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .other: ""
    }
  }
}

/// A transaction, a renewal info, an app transaction or a status of V2, with what is known about each of its values.
///
/// All outlets write from these, whatever record they come from; their members have Apple's names.
package struct V2Part: Sendable {
  package enum Kind: String, Sendable {
    case transaction, renewal, appTransaction
    /// The status of a subscription (`status`), which stands next to a transaction.
    case status

    /// `nil` for the objects around parts.
    package init?(_ part: ObjectPart) {
      switch part {
      case .transaction: self = .transaction
      case .renewal: self = .renewal
      case .appTransaction: self = .appTransaction
      default: return nil
      }
    }
  }

  package var kind: Kind
  package var values: [String: V2Value]
  /// Members that a conversion from V1 concluded.
  package var inferred: Set<String> = []
  /// It was converted from V1.
  package var isConverted = false
  /// The record, and the place in it.
  package var origin: String
  /// Later ones say more: when it was signed, else when its record was.
  package var signedDate: Int64?
  package var environment: String?
  package var bundleId: String?
  /// The token that a transaction was decoded from, which is trusted; kept on request.
  package var token: [UInt8]?

  package init(kind: Kind, values: [String: V2Value], isConverted: Bool = false, origin: String) {
    (self.kind, self.values, self.isConverted, self.origin) = (kind, values, isConverted, origin)
  }

  package func text(_ member: String) -> String? {
    switch values[member] {
    case .text(let text): text.isEmpty ? nil : text
    case .integer(let number): "\(number)"
    default: nil
    }
  }

  package func integer(_ member: String) -> Int64? {
    switch values[member] {
    case .integer(let number): number
    case .text(let text): Int64(text)
    default: nil
    }
  }

  package func flag(_ member: String) -> Bool? {
    switch values[member] {
    case .boolean(let flag): flag
    case .integer(0...1): integer(member) == 1
    default: nil
    }
  }
}
