package import SlipcastMapping
internal import SlipcastReceipts
package import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// `convert --emit verify-receipt`: one answer for each customer of an index.
package struct CustomerAnswers {
  private let answers: AnswerWriter
  private let book: CustomerBook
  private let index: CustomerIndex

  /// - Parameter keepsProvenance: writes where each value comes from.
  package init(_ index: CustomerIndex, rules: RuleSet, keepsProvenance: Bool) {
    answers = AnswerWriter(table: InverseTable(rules), keepsProvenance: keepsProvenance)
    (self.index, book) = (index, CustomerBook([index]))
  }

  /// Writes the answers in the order of each customer's first record, without `receipt`: a store has no signed one.
  ///
  /// - Parameter write: gets an answer with its line feed, and its provenance.
  /// - Returns: the number of customers.
  /// - Throws: the errors of the index and of `write`.
  package func write(_ write: (_ answer: [UInt8], _ provenance: [UInt8]) throws -> Void) throws -> Int {
    var done: Set<Int64> = []
    let reader = PartReader()
    var count = 0
    // The numbers of a customer's later records wait until they come: usually few, for the records of one stand together.
    for number in stride(from: Int64(1), through: index.count, by: 1) {
      if done.remove(number) != nil { continue }
      guard let record = try index.record(number) else { continue }
      let parts = reader.read(text: record.body, from: record.origin)
      let scope = CustomerScope(
        environment: parts.first?.environment ?? "", bundleId: parts.lazy.compactMap(\.bundleId).first)
      let ids = parts.reduce(into: Set<String>()) { $0.formUnion($1.ids) }
      let customer = try book.customer(naming: ids, in: scope, reader)
      done.formUnion((customer.records[0] ?? []).filter { $0 > number })
      guard !customer.isEmpty else { continue }
      let written = answers.answer(customer, AnswerWriter.Frame(environment: scope.environment))
      try write(written.json + [0x0A], written.provenance)
      count += 1
    }
    return count
  }
}
