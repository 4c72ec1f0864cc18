import SlipcastMapping
import SlipcastTestSupport
import Testing

@Suite struct DecisionTreeTests {
  static let rules = BuiltIn.rules
  static let types = Set(rules.types.map(\.type)).subtracting(["*"]).sorted()

  /// The rows with all conditions on the way to them.
  static func paths(_ nodes: [DecisionTree.Node], below: [DecisionTree.Condition] = []) -> [(
    id: String, conditions: Set<DecisionTree.Condition>
  )] {
    nodes.flatMap { node in
      switch node {
      case .row(let conditions, let rule): [(rule.id, Set(below + conditions))]
      case .branch(let conditions, let inner): paths(inner, below: below + conditions)
      }
    }
  }

  @Test(arguments: types)
  func treeHasEveryRowInOrderWithItsConditions(_ type: String) throws {
    let tree = try #require(DecisionTree(of: type.lowercased(), in: Self.rules))
    let rows = Self.rules.types.filter { $0.type == type }
    let paths = Self.paths(tree.nodes)
    #expect(paths.map(\.id) == rows.map(\.id))
    for (path, row) in zip(paths, rows) {
      let expected =
        row.all.map { DecisionTree.Condition(fact: $0, isNegated: false) }
        + row.none.map { DecisionTree.Condition(fact: $0, isNegated: true) }
      #expect(path.conditions == Set(expected), "\(row.id)")
    }
  }

  @Test(arguments: ["*", "EXPIRED", "nothing", ""])
  func otherNamesHaveNoTree(_ name: String) {
    #expect(DecisionTree(of: name, in: Self.rules) == nil)
  }

  @Test func aRowOfAnOverlayComesFirst() throws {
    let row =
      #"{"id":"type.CANCEL.mine","all":["familyShared"],"to":"REFUND","meaning":{"v1":"x"},"source":"V1-TYPE"}"#
    let rules = try RuleSet(overlays: [
      (name: "own.json", bytes: Array("{\"family\":\"notification-types\",\"rules\":[\(row)]}".utf8))
    ])
    let tree = try #require(DecisionTree(of: "CANCEL", in: rules))
    #expect(Self.paths(tree.nodes).first?.id == "type.CANCEL.mine")
  }
}
