extension Reject {
  /// A converted record that a store rejected: its V2 line is kept, so that nothing is lost.
  init(_ refused: StoreOutcome.Refused) {
    let (line, omission) = SecretFilter.filter(refused.line.span)
    self.init(
      source: refused.source, record: refused.record, offset: 0, line: 0, stage: .store, code: refused.code, path: "",
      message: refused.message, id: nil, input: line, inputOmitted: omission?.rawValue)
  }
}
