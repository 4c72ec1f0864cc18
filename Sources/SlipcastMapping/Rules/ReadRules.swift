internal import SlipcastV2

/// What was read of rule files: the entries of each family, in the order of the files.
struct ReadRules: Sendable {
  var fields: [FieldRule] = []
  var types: [TypeRule] = []
  var legacyTypes: [LegacyTypeEntry] = []
  var eras: [Era] = []
  var tracedEvents: [ServerEvent] = []
  var grouping = GroupingRules()
  var decisions: [DecisionRule] = []
  var storekit: [StoreKitRule] = []
  var comparing: [ComparingRule] = []
  var receiptAttributes: [ReceiptAttributeRule] = []
  var inverse: [InverseRule] = []
  var facts: [FactEntry] = []
  var archiveFacts: [FactEntry] = []
  var values: [ValueEntry] = []
  var words: [WordFamily] = []
  var sources: [Source] = []
  /// Ids of rules that overlays added or replaced.
  var overlaid: Set<String> = []
  /// Facts and rows that use a window or an era, by its name.
  var windowUsers: [String: [String]] = [:]

  // MARK: for checks

  /// The built-in field rules whose place rules of overlays have taken.
  var replaced: [FieldRule] = []
  var locations: [String: RuleLocation] = [:]
  /// What entries cite, and where.
  var cited: [(source: String, location: RuleLocation)] = []
  var faulty: Set<String> = []
  var unread = UnreadRules()
}
