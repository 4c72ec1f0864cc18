internal import SlipcastV2
internal import SlipcastWire

extension MigrationSettled {
  /// - Parameter sources: the names of the sources of the run; a witness names its own where there are several.
  init(_ settlement: Settlement, from confidence: Confidence, sources: [String]) {
    self.init()
    from = .known(confidence)
    facts = settlement.factNames
    by = settlement.by.map { witness in
      var record = MigrationWitness()
      record.record = Int64(witness.record)
      if sources.count > 1, sources.indices.contains(witness.source) { record.source = sources[witness.source] }
      return record
    }
    complete = settlement.usesCompleteness ? true : nil
  }
}
