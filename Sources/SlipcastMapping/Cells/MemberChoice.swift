internal import SlipcastV2
internal import SlipcastWire

/// Members of converted objects that a line is reduced to, for readers that ask for nothing else.
package struct MemberChoice: Sendable {
  private let masks: [UInt64]

  /// - Parameter names: members of any object; those with objects inside are needed to reach them.
  package init(_ names: some Collection<String>) {
    masks = ObjectPart.allCases.map { part in
      part.schema.fields.enumerated().reduce(0) { names.contains($1.element.name) ? $0 | 1 << UInt64($1.offset) : $0 }
    }
  }

  func mask(of part: ObjectPart) -> UInt64 { masks[Int(part.rawValue)] }
}
