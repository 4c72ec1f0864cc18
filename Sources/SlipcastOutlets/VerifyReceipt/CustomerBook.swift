internal import SlipcastReceipts
package import SlipcastStores

/// What is known of a customer in one app and environment: the latest state of each transaction and each renewal.
struct Customer: Sendable {
  /// In the order of their purchase dates.
  var transactions: [V2Part] = []
  var renewals: [V2Part] = []
  /// The numbers of the records by their source.
  var records: [Int: Set<Int64>] = [:]

  var isEmpty: Bool { transactions.isEmpty && renewals.isEmpty }

  /// Of several states of a transaction or renewal the one that was signed last counts, else the last one.
  init(_ parts: [V2Part] = []) {
    transactions = Self.latest(parts.filter { $0.kind == .transaction }, by: "transactionId").sorted { left, right in
      let (first, second) = (left.integer("purchaseDate") ?? .max, right.integer("purchaseDate") ?? .max)
      if first != second { return first < second }
      return (left.text("transactionId") ?? "").isOrderedBefore(right.text("transactionId") ?? "")
    }
    renewals = Self.latest(parts.filter { $0.kind == .renewal }, by: "originalTransactionId")
    let places = Dictionary(
      transactions.enumerated().map { ($1.text("originalTransactionId") ?? "", $0) }, uniquingKeysWith: { $1 })
    renewals = renewals.enumerated().sorted { left, right in
      let first = places[left.element.text("originalTransactionId") ?? ""] ?? .max
      let second = places[right.element.text("originalTransactionId") ?? ""] ?? .max
      return (first, left.offset) < (second, right.offset)
    }.map(\.element)
  }

  private static func latest(_ parts: [V2Part], by member: String) -> [V2Part] {
    var found: [V2Part] = []
    var places: [String: Int] = [:]
    for part in parts {
      guard let id = part.text(member) else { continue }
      guard let place = places[id] else {
        places[id] = found.count
        found.append(part)
        continue
      }
      if (part.signedDate ?? .min) >= (found[place].signedDate ?? .min) { found[place] = part }
    }
    return found
  }
}

extension String {
  /// Numbers by their value, as ids ascend.
  fileprivate func isOrderedBefore(_ other: String) -> Bool {
    utf8.count == other.utf8.count ? self < other : utf8.count < other.utf8.count
  }
}

/// Finds all records of a customer in the sources: those that name one of the ids, then those that name the ids in these.
package struct CustomerBook: Sendable {
  let sources: [any CustomerSource]

  package init(_ sources: [any CustomerSource]) { self.sources = sources }

  /// All that the sources know of the customer with these ids.
  ///
  /// - Parameter own: parts that the request itself holds.
  /// - Throws: `StoreError` when a source cannot be read.
  func customer(
    naming ids: Set<String>, in scope: CustomerScope, own: [V2Part] = [], _ reader: PartReader
  ) throws -> Customer {
    var (open, seen) = (Array(ids), ids)
    var found: [(source: Int, record: Int64, part: V2Part)] = []
    var (met, records) = ([Int: Set<Int64>](), [Int: Set<Int64>]())
    while let id = open.popLast() {
      for (place, source) in sources.enumerated() {
        for record in try source.records(naming: id, besides: met[place] ?? []) {
          met[place, default: []].insert(record.number)
          for part in reader.read(text: record.body, from: record.origin) where scope.contains(part) {
            records[place, default: []].insert(record.number)
            found.append((place, record.number, part))
            for id in part.leads where seen.insert(id).inserted { open.append(id) }
          }
        }
      }
    }
    // They came in the order of the ids that led to them: among equals, the order of the archive decides.
    let sorted = found.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      return (first.source, first.record, left.offset) < (second.source, second.record, right.offset)
    }
    var customer = Customer(own + sorted.map(\.element.part))
    customer.records = records
    return customer
  }
}
