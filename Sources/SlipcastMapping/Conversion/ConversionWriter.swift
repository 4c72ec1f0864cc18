@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

// The tree as JSON: members in Apple's order, then Slipcast's own account.

extension Converter {
  /// Writes the converted record without a line feed; its account (`migration`) unless disabled.
  ///
  /// - Parameter choice: the members to write; all without one, and then also which of them are inferred.
  package func write(to writer: JSONWriter, plain: Bool, only choice: MemberChoice? = nil) {
    writer.byte(UInt8(ascii: "{"))
    tree.writeMembers(of: 0, to: writer, only: choice)
    if !plain {
      writer.raw(",\"migration\":{")
      writeReading(to: writer)
      if choice == nil { writeInferred(to: writer) }
      writer.byte(UInt8(ascii: "}"))
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func writeInferred(to writer: JSONWriter) {
    writer.raw(",\"inferred\":[")
    tree.forEachObject { object, prefix in
      // A group repeats what its items conclude.
      guard object.part != .group else { return }
      object.row.forEachInferred { slot in
        writer.comma()
        writer.byte(UInt8(ascii: "\""))
        writer.raw(prefix)
        object.row.schema.names.write(slot, to: writer)
        writer.byte(UInt8(ascii: "\""))
      }
    }
    writer.raw("]")
  }

  /// The id of the rule that made the output what it is: of a notification the row of the decision table.
  package var rule: String {
    switch tree.form {
    case .notification: builder.decision?.id ?? "type.unknown"
    case .history: "receipt.history"
    case .statuses: "receipt.statuses"
    case .appTransaction: "receipt.app-transaction"
    }
  }

  /// What the event is read as, how sure that is, and which other events stay possible.
  private func writeReading(to writer: JSONWriter) {
    guard tree.form == .notification else {
      writer.member("rule", rule)
      return writer.member("confidence", confidenceOfOutput.rawValue)
    }
    guard let reading = builder.reading else { return }
    if reading.settlement != nil || reading.disproved != 0 || reading.isAmbiguous && !reading.alternatives.isEmpty {
      return migrationReading.writeMembers(to: writer)
    }
    writer.raw(reading.decision.migrationText(reading.confidence).buffer)
    writeOtherReadings(to: writer)
    guard let start = known.autoRenewOnSince else { return }
    writer.raw(",\"autoRenewOnSince\":")
    writer.integer(start)
  }

  private func writeOtherReadings(to writer: JSONWriter) {
    let others = otherReadings
    guard !others.isEmpty else { return }
    writer.raw(",\"accepts\":[")
    for (place, event) in others.enumerated() {
      writer.raw(place == 0 ? "{" : ",{")
      writer.member("notificationType", event.notificationType)
      if let subtype = event.subtype { writer.member("subtype", subtype) }
      writer.byte(UInt8(ascii: "}"))
    }
    writer.byte(UInt8(ascii: "]"))
  }
}

extension EventRecord {
  /// Writes the members of an object in Apple's order, the first one without a comma.
  package func writeMembers(of place: Int, to writer: JSONWriter, only choice: MemberChoice? = nil) {
    let row = objects[place].row
    var isFirst = true
    row.forEach(in: choice?.mask(of: objects[place].part) ?? .max) { slot, cell in
      if isFirst { isFirst = false } else { writer.byte(UInt8(ascii: ",")) }
      row.schema.keys.write(slot, to: writer)
      switch cell.kind {
      case .row: write(place + Int(cell.integer), to: writer, only: choice)
      case .list:
        writer.byte(UInt8(ascii: "["))
        for (number, child) in children(of: place).enumerated() {
          if number > 0 { writer.byte(UInt8(ascii: ",")) }
          write(child, to: writer, only: choice)
        }
        writer.byte(UInt8(ascii: "]"))
      default: cell.write(to: writer)
      }
    }
  }

  private func write(_ object: Int, to writer: JSONWriter, only choice: MemberChoice?) {
    writer.byte(UInt8(ascii: "{"))
    writeMembers(of: object, to: writer, only: choice)
    writer.byte(UInt8(ascii: "}"))
  }

  /// Visits all objects with what stands before their members' names in paths.
  package func forEachObject(_ visit: (Object, String) -> Void) {
    var (group, item) = (-1, -1)
    for (place, object) in objects.enumerated() {
      if object.part == .group { (group, item) = (group + 1, -1) }
      if object.part == .item { item += 1 }
      visit(object, prefix(of: object.part, at: place, group, item))
    }
  }

  package func path(of place: Int) -> JSONPath {
    var steps: [JSONPath.Step] = []
    var next = 0
    forEachObject { _, prefix in
      defer { next += 1 }
      guard next == place else { return }
      for part in prefix.split(separator: ".") {
        let name = part.prefix { $0 != "[" }
        steps.append(.key(String(name)))
        if let index = Int(part.dropFirst(name.count + 1).dropLast()) { steps.append(.index(index)) }
      }
    }
    return JSONPath(steps)
  }

  private func prefix(of part: ObjectPart, at place: Int, _ group: Int, _ item: Int) -> String {
    let pieces = Self.pieces[form.rawValue][Int(part.rawValue)]
    return switch pieces.count {
    case 1: pieces[0]
    case 2: "\(pieces[0])[\(form == .history ? place - 1 : group)]\(pieces[1])"
    default: "\(pieces[0])[\(group)]\(pieces[1])[\(item)]\(pieces[2])"
    }
  }

  /// By form and object what its path consists of, split at the places of lists: a long history has many paths.
  private static let pieces = Form.allCases.map { form in
    ObjectPart.allCases.map { part in
      let path = part.path(in: form.root) ?? ""
      let pieces = path.utf8.split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false)
      // All but the first one begin with the rest of `[*]`.
      return pieces.enumerated().map { String(Substring($0 == 0 ? $1 : $1.dropFirst(2))) }
    }
  }
}

extension EventRecord.Form {
  /// The outermost object.
  var root: ObjectPart {
    switch self {
    case .notification: .notification
    case .history: .history
    case .statuses: .statuses
    case .appTransaction: .appTransaction
    }
  }
}

extension Cell {
  package func write(to writer: JSONWriter) {
    switch kind {
    case .text: if let text { writer.text(text) }
    case .integer: writer.integer(integer)
    case .boolean: writer.boolean(integer != 0)
    case .row, .list, .mismatched: break
    }
  }
}
