// A model is to other coders the object that its JSON is, so it can be a member of any `Codable` type.

extension FieldModel {
  /// Reads an object that another coder has decoded.
  ///
  /// Unlisted members are in alphabetical order; numbers in them may be spelled differently.
  ///
  /// - Throws: `DecodingError` also for a field of another kind than Apple documents.
  public init(from decoder: any Decoder) throws {
    do {
      try self.init(json: try CodedValue(from: decoder).json)
    } catch let error as FieldError {
      let text = "\(error.path): expected \(error.expected), found \(error.found)"
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
  }

  /// Writes the members of the object's JSON.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws { try CodedValue(json: json).encode(to: encoder) }
}

/// A JSON value that other coders read and write.
private struct CodedValue: Codable {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var json: String

  init(json: String) { self.json = json }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Key.self) {
      let members = try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
        "\(FieldValue.text(key.stringValue).json):\(try object.decode(CodedValue.self, forKey: key).json)"
      }
      json = "{\(members.joined(separator: ","))}"
    } else if var array = try? decoder.unkeyedContainer() {
      var items: [String] = []
      while !array.isAtEnd { items.append(try array.decode(CodedValue.self).json) }
      json = "[\(items.joined(separator: ","))]"
    } else {
      json = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ value: any SingleValueDecodingContainer) throws -> String {
    if value.decodeNil() { return "null" }
    if let flag = try? value.decode(Bool.self) { return "\(flag)" }
    if let number = try? value.decode(Int64.self) { return "\(number)" }
    if let number = try? value.decode(Double.self) { return "\(number)" }
    return FieldValue.text(try value.decode(String.self)).json
  }

  func encode(to encoder: any Encoder) throws {
    try JSONReader(names: []).parse(JSONBuffer(json.utf8)) { try Self.encode($0, to: encoder) }
  }

  private static func encode(_ value: JSONElement, to encoder: any Encoder) throws {
    switch value.kind {
    case .object:
      var object = encoder.container(keyedBy: Key.self)
      for child in value.children {
        try object.encode(CodedValue(json: child.json), forKey: Key(stringValue: child.name))
      }
    case .array:
      var array = encoder.unkeyedContainer()
      for child in value.children { try array.encode(CodedValue(json: child.json)) }
    default:
      var scalar = encoder.singleValueContainer()
      if let text = value.string {
        try scalar.encode(text)
      } else if let flag = value.boolean {
        try scalar.encode(flag)
      } else if let number = value.integer {
        try scalar.encode(number)
      } else if let number = Double(value.json) {
        try scalar.encode(number)
      } else {
        try scalar.encodeNil()
      }
    }
  }
}
