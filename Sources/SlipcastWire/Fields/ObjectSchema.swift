/// The only description of a kind of V2 object: made from the field table of its model, without the model's type.
///
/// Records are read, written and compared by it, and CSV columns, database columns, rule checks and JSON Schemas come from
/// it.
package final class ObjectSchema: Sendable {
  /// Apple's name of the object.
  package let name: String
  /// The members, in the order in which they are written; the place of a member is its slot.
  package let fields: [SchemaField]
  /// `"name":` of every slot.
  package let keys: TextTable
  /// The name of every slot.
  package let names: TextTable
  private let slots: [String: Int]

  package init<Model: FieldModel>(_ model: Model.Type) {
    name = model.modelName
    fields = model.fields.map(SchemaField.init)
    keys = TextTable(fields.map { "\"\($0.name)\":" })
    names = TextTable(fields.map(\.name))
    slots = Dictionary(fields.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  package func slot(_ name: String) -> Int? { slots[name] }

  package func field(_ name: String) -> SchemaField? { slots[name].map { fields[$0] } }
}

/// One member of a V2 object; a class, because members are handed around for every value of every record.
package final class SchemaField: Sendable {
  package let name: String
  package let kind: FieldKind
  /// The document that describes it.
  package let document: String
  /// What else is known of it.
  package let traits: FieldTraits
  /// Reads a value as typed models do.
  package let read: @Sendable (JSONElement) throws(FieldError) -> FieldValue?

  init<Model: FieldModel>(_ field: Field<Model>) {
    (name, kind, document, traits) = (field.name, field.kind, field.document, field.traits)
    read = { element throws(FieldError) in
      var model = Model()
      try field.read(&model, .json(element))
      return field.value(model)
    }
  }

  /// The objects inside it; `nil` for other kinds of values.
  package var inner: ObjectSchema? { traits.inner?() }

  /// Its column in a table of events; `nil` for a member without one.
  package var column: String? {
    switch traits.column {
    case .ownName: traits.decoded == nil ? name : nil
    case .named(let name): name
    case .none: nil
    }
  }
}

/// What a line of a field table says besides name, kind and document.
package struct FieldTraits: Sendable {
  package enum Column: Sendable {
    case ownName
    /// Another member has the same name and means something else.
    case named(String)
    case none
  }

  package var column = Column.ownName
  /// It is a signed text, or several; the member with what it holds, and that object.
  package var decoded: (name: String, schema: @Sendable () -> ObjectSchema)?
  /// The members of the objects inside it have rules of their own; otherwise its rule is about all of them.
  package var hasRulesInside = false
  var inner: (@Sendable () -> ObjectSchema)?
}

extension Field {
  private func with(_ change: (inout FieldTraits) -> Void) -> Field {
    var traits = traits
    change(&traits)
    return Field(name: name, kind: kind, document: document, traits: traits, read: read, write: write, value: value)
  }

  /// The column in a table of events, where the member's own name would be that of another column.
  package func column(_ name: String) -> Field { with { $0.column = .named(name) } }

  /// Tables of events have no column for it, nor for what is in it.
  package var withoutColumn: Field { with { $0.column = .none } }

  /// A signed text, or a list of such texts; decoded records have another member instead.
  package func decoded<Inner: FieldModel>(_ name: String, _ model: Inner.Type) -> Field {
    with { $0.decoded = (name, { ObjectSchema(model) }) }
  }

  /// The members of the objects inside it have rules of their own.
  package var withRulesInside: Field { with { $0.hasRulesInside = true } }
}
