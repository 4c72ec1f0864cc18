package import SlipcastMapping

extension Comparison {
  /// A conversion compared with an expectation: `cast` is found, `v2` is expected.
  package init(expectation fields: [FieldDifference], legacy: Side, expected: Side) {
    self.init(legacy: legacy, server: expected, fields: FieldDifferences(fields))
  }
}

extension Comparison.Side {
  package init(_ name: String, _ description: String) { (self.name, self.description) = (name, description) }
}

extension FieldDifference {
  /// A converted field and the expected one: a conflict where they differ.
  package init(
    path: String, found: ComparedValue?, expected: ComparedValue?, origin: Account.Field?, explanation: String
  ) {
    self.init(
      v1Path: origin?.v1Path, v2Path: path, v1: origin?.v1Value.map { .json($0) }, cast: found, v2: expected,
      differenceClass: found == expected ? .identical : .conflict, rule: origin?.rule,
      confidence: origin?.confidence, explanation: explanation, sources: [])
  }
}
