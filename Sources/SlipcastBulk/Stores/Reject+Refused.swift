extension Reject {
  /// A record that was converted and that a store refused; the legacy record is found by its source and number.
  init(_ refused: StoreOutcome.Refused) {
    self.init(
      source: refused.source, record: refused.record, offset: 0, line: 0, stage: .store, code: refused.code, path: "",
      message: refused.message, id: nil, input: [])
  }
}
