internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// One value of a V2 record with its place and the rule that speaks of it.
struct Leaf {
  /// Dotted path, array places included.
  var path: String
  /// The path of the object that contains the value, with a trailing dot; empty for the root.
  var parent: String
  var rule: RuleName
  var value: FieldValue
  /// It is in a member that the table of an object does not list, and the object's own rule is not about it.
  var isUnknown = false
}

/// How rules are found: the family of the object and the name in it, dotted below `data`.
struct RuleName: Hashable {
  var family: String
  var to: String

  var last: String { to.split(separator: ".").last.map(String.init) ?? to }
}

extension RuleName {
  /// The name of a member of an object.
  init(_ part: ObjectPart, _ name: String) { self.init(family: part.rules.family, to: part.rules.under + name) }

  /// An object inside a transaction, a renewal or a notification whose members have rules of their own.
  var isContainer: Bool { Self.containers.contains(self) }

  private static let containers: Set<RuleName> = {
    var names: Set<RuleName> = []
    func add(_ schema: ObjectSchema, _ family: String, _ prefix: String) {
      for field in schema.fields where field.traits.hasRulesInside {
        names.insert(RuleName(family: family, to: prefix + field.name))
        if let inner = field.inner { add(inner, family, prefix + field.name + ".") }
      }
    }
    for part in ObjectPart.allCases { add(part.schema, part.rules.family, part.rules.under) }
    return names
  }()
}

extension Leaf {
  /// The leaves of one member of an object.
  ///
  /// - Parameters:
  ///   - owner: the rule of an object around it whose members have no rules of their own.
  ///   - isUnknown: it is inside such an object, in a member that Apple does not document there.
  static func of(
    _ member: FieldValue.NamedValue, family: String, prefix: String, path: String, owner: RuleName? = nil,
    isUnknown: Bool = false
  ) -> [Leaf] {
    let isUnlisted = if case .json = member.value { owner != nil } else { false }
    let isUnknown = isUnknown || isUnlisted
    let name = owner ?? RuleName(family: family, to: prefix + member.name)
    let isOwner = owner == nil && name.isContainer
    let (parent, path) = (path, path + JSONPath.spelled(member.name))
    func leaves(_ members: [FieldValue.NamedValue], _ path: String) -> [Leaf] {
      members.flatMap {
        of(
          $0, family: isOwner ? family : "", prefix: isOwner ? name.to + "." : "", path: path + ".",
          owner: isOwner ? nil : name, isUnknown: isUnknown)
      }
    }
    let value = member.value.canonical
    return switch value {
    case .object(let members): leaves(members, path)
    case .objects(let items): items.enumerated().flatMap { leaves($1, "\(path)[\($0)]") }
    default: [Leaf(path: path, parent: parent, rule: name, value: value, isUnknown: isUnknown)]
    }
  }
}

extension String {
  /// A path with `[*]` for every place of a list.
  var withoutPlaces: String {
    guard utf8.contains(UInt8(ascii: "[")) else { return self }
    var result = ""
    var isInside = false
    for character in self {
      if isInside {
        if character == "]" {
          isInside = false
          result += "*]"
        } else if !character.isNumber {
          // No place: a name with a bracket in it.
          return self
        }
        continue
      }
      result.append(character)
      if character == "[" { isInside = true }
    }
    return result
  }
}
