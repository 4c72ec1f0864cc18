// The kinds of fields: how each is read from a tape and written. `get` and `set` are closures because key paths take
// three times as long.

extension Field {
  /// A scalar value: `read` returns nil for a value of another kind.
  private convenience init<Value>(
    _ name: String, _ kind: FieldKind, _ document: String,
    _ get: @escaping @Sendable (Model) -> Value?, _ set: @escaping @Sendable (inout Model, Value) -> Void,
    from read: @escaping @Sendable (FieldInput) -> Value?,
    to write: @escaping @Sendable (Value, JSONWriter) -> Void,
    as value: @escaping @Sendable (Value) -> FieldValue
  ) {
    self.init(
      name: name, kind: kind, document: document,
      read: { model, input throws(FieldError) in
        guard let value = read(input) else { throw input.wrongKind(kind) }
        set(&model, value)
      },
      write: { model, writer in
        guard let value = get(model) else { return false }
        writer.key(name)
        write(value, writer)
        return true
      },
      value: { model in get(model).map(value) })
  }

  package typealias Get<Value> = @Sendable (Model) -> Value?
  package typealias Set<Value> = @Sendable (inout Model, Value) -> Void

  package static func text(
    _ name: String, in document: String, _ get: @escaping Get<String>, _ set: @escaping Set<String>
  ) -> Field {
    Field(name, .text, document, get, set, from: { $0.string }, to: { $1.text($0) }, as: { .text($0) })
  }

  package static func uuid(
    _ name: String, in document: String, _ get: @escaping Get<String>, _ set: @escaping Set<String>
  ) -> Field {
    Field(name, .uuid, document, get, set, from: { $0.string }, to: { $1.text($0) }, as: { .text($0) })
  }

  package static func word<Known: RawRepresentable>(
    _ name: String, in document: String, of vocabulary: String,
    _ get: @escaping Get<Open<Known>>, _ set: @escaping Set<Open<Known>>
  ) -> Field where Known.RawValue == String {
    Field(
      name, .word(vocabulary), document, get, set,
      from: { $0.string.map(Open<Known>.init(rawValue:)) }, to: { $1.text($0.rawValue) }, as: { .text($0.rawValue) })
  }

  package static func code<Known: RawRepresentable>(
    _ name: String, in document: String, of vocabulary: String,
    _ get: @escaping Get<Open<Known>>, _ set: @escaping Set<Open<Known>>
  ) -> Field where Known.RawValue == Int32 {
    Field(
      name, .code(vocabulary), document, get, set,
      from: { $0.integer.flatMap(Int32.init(exactly:)).map(Open<Known>.init(rawValue:)) },
      to: { $1.integer(Int64($0.rawValue)) }, as: { .integer(Int64($0.rawValue)) })
  }

  package static func integer32(
    _ name: String, in document: String, _ get: @escaping Get<Int32>, _ set: @escaping Set<Int32>
  ) -> Field {
    Field(
      name, .integer32, document, get, set, from: { $0.integer.flatMap(Int32.init(exactly:)) },
      to: { $1.integer(Int64($0)) }, as: { .integer(Int64($0)) })
  }

  package static func integer64(
    _ name: String, in document: String, kind: FieldKind = .integer64,
    _ get: @escaping Get<Int64>, _ set: @escaping Set<Int64>
  ) -> Field {
    Field(name, kind, document, get, set, from: { $0.integer }, to: { $1.integer($0) }, as: { .integer($0) })
  }

  package static func milliseconds(
    _ name: String, in document: String, _ get: @escaping Get<Timestamp>, _ set: @escaping Set<Timestamp>
  ) -> Field {
    Field(
      name, .milliseconds, document, get, set, from: { $0.milliseconds.map(Timestamp.init(milliseconds:)) },
      to: { $1.integer($0.milliseconds) }, as: { .integer($0.milliseconds) })
  }

  package static func boolean(
    _ name: String, in document: String, _ get: @escaping Get<Bool>, _ set: @escaping Set<Bool>
  ) -> Field {
    Field(name, .boolean, document, get, set, from: { $0.boolean }, to: { $1.boolean($0) }, as: { .boolean($0) })
  }

  package static func texts(
    _ name: String, in document: String, _ get: @escaping Get<[String]>, _ set: @escaping Set<[String]>
  ) -> Field {
    Field(
      name, .texts, document, get, set, from: { $0.texts },
      to: { values, writer in writer.array(values) { writer.text($0) } }, as: { .texts($0) })
  }

  package static func object<Inner: FieldModel>(
    _ name: String, in document: String, _ get: @escaping Get<Inner>, _ set: @escaping Set<Inner>
  ) -> Field {
    Field(
      name: name, kind: .object(Inner.modelName), document: document,
      read: { model, input throws(FieldError) in set(&model, try input.model(Inner.self)) },
      write: { model, writer in
        guard let inner = get(model) else { return false }
        writer.key(name)
        inner.write(to: writer)
        return true
      },
      value: { model in get(model).map { .object($0.namedValues) } })
  }

  package static func objects<Inner: FieldModel>(
    _ name: String, in document: String, _ get: @escaping Get<[Inner]>, _ set: @escaping Set<[Inner]>
  ) -> Field {
    Field(
      name: name, kind: .objects(Inner.modelName), document: document,
      read: { model, input throws(FieldError) in set(&model, try input.models(Inner.self)) },
      write: { model, writer in
        guard let items = get(model) else { return false }
        writer.array(name, items) { $0.write(to: writer) }
        return true
      },
      value: { model in get(model).map { .objects($0.map(\.namedValues)) } })
  }
}
