// The kinds of fields: how each is read, and its value without its type.

extension Field where Model: FieldModel {
  /// A key path, made when it is first used: most commands read no typed models, and making all takes a tenth of a start.
  package typealias Path<Value> = @Sendable () -> any WritableKeyPath<Model, Value?> & Sendable

  /// - Parameters:
  ///   - document: where Apple describes the member, if elsewhere than the model.
  ///   - read: returns nil for a value of another kind.
  ///   - write: writes a value that has many parts: faster than its `FieldValue` does.
  ///   - inner: the objects inside it.
  private convenience init<Value>(
    _ name: String, _ kind: FieldKind, _ path: @escaping Path<Value>, _ document: String?,
    inner: (@Sendable () -> ObjectSchema)? = nil,
    from read: @escaping @Sendable (FieldInput) throws(FieldError) -> Value?,
    to write: (@Sendable (Value, JSONWriter) -> Void)? = nil, as value: @escaping @Sendable (Value) -> FieldValue
  ) {
    self.init(
      name: name, kind: kind, document: document ?? Model.document, traits: FieldTraits(inner: inner),
      read: { model, input throws(FieldError) in
        guard let value = try read(input) else { throw input.wrongKind(kind) }
        model[keyPath: path()] = value
      },
      write: { model, writer in
        guard let inner = model[keyPath: path()] else { return }
        writer.key(name)
        if let write { write(inner, writer) } else { value(inner).write(to: writer) }
      },
      value: { model in model[keyPath: path()].map(value) })
  }

  package static func text(_ name: String, _ path: @escaping @autoclosure Path<String>, in document: String? = nil)
    -> Field
  {
    Field(name, .text, path, document, from: { $0.string }, as: { .text($0) })
  }

  package static func uuid(_ name: String, _ path: @escaping @autoclosure Path<String>) -> Field {
    Field(name, .uuid, path, nil, from: { $0.string }, as: { .text($0) })
  }

  /// - Parameter vocabulary: its name in the rules, if it is not that of its type.
  package static func word<Known: RawRepresentable>(
    _ name: String, _ path: @escaping @autoclosure Path<Open<Known>>, of vocabulary: String? = nil
  ) -> Field where Known.RawValue == String {
    Field(
      name, .word(vocabulary ?? Self.name(of: Known.self)), path, nil,
      from: { $0.string.map(Open<Known>.init(rawValue:)) }, as: { .text($0.rawValue) })
  }

  package static func code<Known: RawRepresentable>(_ name: String, _ path: @escaping @autoclosure Path<Open<Known>>)
    -> Field
  where Known.RawValue == Int32 {
    Field(
      name, .code(Self.name(of: Known.self)), path, nil,
      from: { $0.integer.flatMap(Int32.init(exactly:)).map(Open<Known>.init(rawValue:)) },
      as: { .integer(Int64($0.rawValue)) })
  }

  /// `OfferType` is the vocabulary `offerType`.
  static func name<Known>(of type: Known.Type) -> String {
    let name = "\(type)"
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  package static func integer32(_ name: String, _ path: @escaping @autoclosure Path<Int32>) -> Field {
    Field(
      name, .integer32, path, nil, from: { $0.integer.flatMap(Int32.init(exactly:)) }, as: { .integer(Int64($0)) })
  }

  package static func integer64(_ name: String, _ path: @escaping @autoclosure Path<Int64>) -> Field {
    Field(name, .integer64, path, nil, from: { $0.integer }, as: { .integer($0) })
  }

  package static func milliunits(_ name: String, _ path: @escaping @autoclosure Path<Int64>) -> Field {
    Field(name, .milliunits, path, nil, from: { $0.integer }, as: { .integer($0) })
  }

  package static func milliseconds(
    _ name: String, _ path: @escaping @autoclosure Path<Timestamp>, in document: String? = nil
  ) -> Field {
    Field(
      name, .milliseconds, path, document, from: { $0.milliseconds.map(Timestamp.init(milliseconds:)) },
      as: { .integer($0.milliseconds) })
  }

  package static func boolean(_ name: String, _ path: @escaping @autoclosure Path<Bool>) -> Field {
    Field(name, .boolean, path, nil, from: { $0.boolean }, as: { .boolean($0) })
  }

  package static func texts(_ name: String, _ path: @escaping @autoclosure Path<[String]>) -> Field {
    Field(name, .texts, path, nil, from: { input throws(FieldError) in try input.texts() }, as: { .texts($0) })
  }

  package static func object<Inner: FieldModel>(
    _ name: String, _ path: @escaping @autoclosure Path<Inner>, in document: String? = nil
  ) -> Field {
    Field(
      name, .object(Inner.modelName), path, document, inner: { ObjectSchema(Inner.self) },
      from: { input throws(FieldError) in try input.model(Inner.self) }, to: { $0.write(to: $1) },
      as: { .object($0.namedValues) })
  }

  package static func objects<Inner: FieldModel>(
    _ name: String, _ path: @escaping @autoclosure Path<[Inner]>, in document: String? = nil
  ) -> Field {
    Field(
      name, .objects(Inner.modelName), path, document, inner: { ObjectSchema(Inner.self) },
      from: { input throws(FieldError) in try input.models(Inner.self) },
      to: { items, writer in writer.array(items) { $0.write(to: writer) } }, as: { .objects($0.map(\.namedValues)) })
  }
}
