internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// One object of a pair of records that is compared as typed values.
struct ComparedObject {
  let part: CastOutline.Part
  let model: any FieldModel
  /// Members to leave out, besides those that are objects of their own.
  var skipped: Set<String> = []

  /// The objects of a notification.
  static func of(_ notification: ResponseBodyV2DecodedPayload) -> [ComparedObject] {
    [ComparedObject(part: .notification, model: notification)]
      + (notification.data.map { data in
        [ComparedObject(part: .data, model: data)] + of(data.transactionInfo, data.renewalInfo)
      } ?? [])
  }

  /// The objects of an item of a status answer.
  static func of(_ item: LastTransactionsItem, hasStatus: Bool = true) -> [ComparedObject] {
    [ComparedObject(part: .item, model: item, skipped: hasStatus ? [] : ["status"])]
      + of(item.transactionInfo, item.renewalInfo)
  }

  private static func of(
    _ transaction: JWSTransactionDecodedPayload?, _ renewal: JWSRenewalInfoDecodedPayload?
  ) -> [ComparedObject] {
    [
      transaction.map { ComparedObject(part: .transaction, model: $0) },
      renewal.map { ComparedObject(part: .renewal, model: $0) },
    ].compactMap(\.self)
  }

  /// Members that are objects of their own, or Slipcast's.
  fileprivate static let others: Set<String> = [
    "data", "transactionInfo", "renewalInfo", "transactions", "lastTransactions", "migration",
  ]
}

/// What the paths of the members of objects begin with, by part.
struct ObjectPaths {
  private var prefixes: [String]

  /// The objects of a notification.
  static let notification = ObjectPaths(prefixes: PartTable.shared.parts.map(\.prefix))

  /// The object of one part by itself.
  static func object(_ part: CastOutline.Part, _ path: String) -> ObjectPaths {
    var paths = notification
    paths.prefixes[Int(part.rawValue)] = path
    return paths
  }

  /// The objects of an item of a status answer.
  static func item(_ path: String) -> ObjectPaths {
    var paths = object(.item, path)
    paths.prefixes[Int(CastOutline.Part.transaction.rawValue)] = path + "transactionInfo."
    paths.prefixes[Int(CastOutline.Part.renewal.rawValue)] = path + "renewalInfo."
    return paths
  }

  subscript(_ part: CastOutline.Part) -> String { prefixes[Int(part.rawValue)] }
}

/// The two views of a pair and their comparer; used again for every pair.
final class ViewPair {
  let comparer: ViewComparer
  let one: RecordView
  let two: RecordView
  /// The places of rules in `RuleSet.fields`.
  let ruleNumbers: [String: Int16]
  private let writer: ViewWriter
  private let buffers = (JSONWriter(capacity: 4096), JSONWriter(capacity: 4096))

  init(_ rules: RuleSet) {
    comparer = ViewComparer(rules, keepsPlaces: true)
    let table = ShapeTable()
    (one, two, writer) = (RecordView(table), RecordView(table), ViewWriter(table))
    ruleNumbers = Dictionary(
      rules.fields.enumerated().map { ($1.id, Int16(truncatingIfNeeded: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Makes a view of typed objects.
  ///
  /// - Parameters:
  ///   - source: what is known of the V1 source of a member.
  ///   - finish: adds what is known of other values.
  /// - Returns: the values in no slot.
  func fill(
    _ view: RecordView, _ objects: [ComparedObject], origin: EventHead.Origin, eventTime: Int64? = nil,
    source: (CastOutline.Part, String) -> ViewWriter.Source, finish: (ViewWriter) -> Void = { _ in }
  ) -> [Leaf] {
    writer.clear()
    var leaves: [Leaf] = []
    for object in objects { add(object, &leaves) { source(object.part, $0) } }
    finish(writer)
    writer.shape.add(names: nil, nil, nil)
    var head = EventHead()
    (head.origin, head.asOf) = (origin, eventTime)
    let buffer = view === one ? buffers.0 : buffers.1
    buffer.clear()
    writer.write(head, to: buffer)
    view.read(buffer.buffer)
    return leaves
  }

  private func add(_ object: ComparedObject, _ leaves: inout [Leaf], _ source: (String) -> ViewWriter.Source) {
    let part = PartTable.shared.parts[Int(object.part.rawValue)]
    let left = ComparedObject.others.union(object.skipped)
    for named in object.model.namedValues where !left.contains(named.name) {
      guard let slot = part.slot(named.name) else {
        leaves += writer.addLeaves(named, part, owner: nil)
        continue
      }
      let index = EventPart.index(object.part, slot)
      switch named.value {
      case .text(let text): writer.add(text, index, source(named.name))
      case .integer(let number): writer.add(number, index, source(named.name))
      case .boolean(let flag): writer.add(flag, index, source(named.name))
      default: leaves += writer.addLeaves(named, part, owner: index)
      }
    }
  }
}

/// The order of rows: that of the field tables, each object in the place where it is a member.
struct FieldOrder {
  private var ranks = [Int](repeating: 0, count: EventPart.fieldCount)
  private var ends = [Int](repeating: 0, count: EventPart.count)
  private var next = 0

  private static let orders = CastOutline.Part.allCases.map { FieldOrder($0) }

  /// The order for the objects inside one.
  static func of(_ part: CastOutline.Part) -> FieldOrder { orders[Int(part.rawValue)] }

  private init(_ part: CastOutline.Part) { add(part) }

  private mutating func add(_ part: CastOutline.Part) {
    for (slot, member) in PartTable.shared.parts[Int(part.rawValue)].members.enumerated() {
      switch (part, member.name) {
      case (.notification, "data"): add(.data)
      case (.data, "transactionInfo"), (.item, "transactionInfo"): add(.transaction)
      case (.data, "renewalInfo"), (.item, "renewalInfo"): add(.renewal)
      default:
        ranks[EventPart.index(part, slot)] = next
        next += 1
      }
    }
    ends[Int(part.rawValue)] = next
    next += 1
  }

  /// The place of a field, by part and slot.
  func rank(_ index: Int) -> Int { ranks[index] }

  /// The places of what a comparer found about fields, in order.
  func sorted(_ comparer: ViewComparer) -> [Int] {
    comparer.findings.indices.compactMap { place -> (Int, Int, Int)? in
      switch comparer.findings[place].subject {
      case .field(let index): return (ranks[index], 0, place)
      case .extra(let number):
        let extra = comparer.extras[number].extra
        return (extra.owner.map { ranks[$0] } ?? ends[extra.part], number, place)
      case .legacy: return nil
      }
    }.sorted { $0 < $1 }.map(\.2)
  }
}
