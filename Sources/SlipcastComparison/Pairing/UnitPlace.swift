internal import SlipcastMapping
internal import SlipcastV2

/// The location of objects that are compared together in their record.
enum UnitPlace: Hashable, Sendable {
  /// A notification and the objects inside it.
  case notification
  /// The members of an answer around its items.
  case envelope
  case transaction(Int)
  case group(Int)
  /// An item of a status answer, with its transaction and renewal.
  case item(group: Int, Int)

  /// What the paths of an object's members begin with.
  func prefix(_ part: ObjectPart) -> String {
    switch (self, part) {
    case (.notification, _), (.envelope, _): part.path
    case (.transaction(let place), _): "transactions[\(place)]."
    case (.group(let group), _): "data[\(group)]."
    case (.item, .transaction): path + ".transactionInfo."
    case (.item, .renewal): path + ".renewalInfo."
    case (.item, _): path + "."
    }
  }

  var path: String {
    switch self {
    case .notification, .envelope: ""
    case .transaction(let place): "transactions[\(place)]"
    case .group(let group): "data[\(group)]"
    case .item(let group, let item): "data[\(group)].lastTransactions[\(item)]"
    }
  }

  /// The object whose members come first.
  var outermost: ObjectPart {
    switch self {
    case .notification: .notification
    case .envelope: .history
    case .transaction: .transaction
    case .group: .group
    case .item: .item
    }
  }
}

extension ComparedRecord.Form {
  /// The object around the items of an answer, or alone.
  var envelope: ObjectPart {
    switch self {
    case .statuses: .statuses
    case .appTransaction: .appTransaction
    default: .history
    }
  }
}
