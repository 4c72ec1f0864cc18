internal import SlipcastV2
internal import SlipcastWire

// Pages about V2's objects and those of their members that no rule speaks of: V1 has nothing like them.

extension Explainer {
  /// The pages of a member of V2's objects, or of an object, by its name in any case.
  func memberPages(for wanted: String) -> [Page] {
    ModelCatalog.models.flatMap { model in
      let members = model.fields.filter { $0.name.lowercased() == wanted }.map { page($0, of: model) }
      return model.name.lowercased() == wanted ? [page(model)] + members : members
    }
  }

  var memberNames: [String] { ModelCatalog.models.flatMap { [$0.name] + $0.fields.map(\.name) } }

  private func page(_ member: SchemaField, of model: ObjectSchema) -> Page {
    page("\(model.name).\(member.name)", summary: "a member of V2's \(model.name)") { lines in
      lines.add("means", meaning(of: "\(model.name).\(member.name)"))
      lines.add("kind", member.kind.description)
      lines.add("V1", "no V1 value becomes this member")
      lines.add("source", member.document)
    }
  }

  private func meaning(of name: String) -> String? {
    rules.words.first { $0.of == "member" }?.words.first { $0.name == name }?.meaning
  }

  private func page(_ model: ObjectSchema) -> Page {
    page(model.name, summary: "an object of V2") { lines in
      lines.add("members", model.fields.map(\.name).joined(separator: ", "))
      lines.add("source", model.fields.first?.document)
    }
  }
}
