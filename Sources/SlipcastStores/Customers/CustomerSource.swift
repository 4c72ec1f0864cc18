/// A record of V2 data about a customer, as a source keeps it.
package struct CustomerRecord: Sendable {
  /// Its number in its source; a later record has a higher one.
  package var number: Int64
  /// Where it comes from, for people: a file and the number of the record there.
  package var origin: String
  /// JSON.
  package var body: [UInt8]

  package init(number: Int64, origin: String, body: [UInt8]) {
    (self.number, self.origin, self.body) = (number, origin, body)
  }
}

/// Finds the records of customers by the ids of their purchases; may be asked by several threads at the same time.
package protocol CustomerSource: AnyObject, Sendable {
  /// The records that name an id, in their order; never a search through all records.
  ///
  /// - Parameter known: records that are not needed again.
  /// - Throws: `StoreError`.
  func records(naming id: String, besides known: Set<Int64>) throws(StoreError) -> [CustomerRecord]
}
