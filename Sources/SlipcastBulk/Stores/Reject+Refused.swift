extension Reject {
  /// A converted record that a store rejected: its V2 line is kept, so that nothing is lost.
  init(_ refused: StoreOutcome.Refused) {
    let (line, omission) = refused.line.withUnsafeBufferPointer { SecretFilter.filter($0) }
    self.init(
      source: refused.source, record: refused.record, offset: 0, line: 0, stage: .store, code: refused.code, path: "",
      message: refused.message, id: nil, input: line, inputOmitted: omission?.rawValue)
  }
}
