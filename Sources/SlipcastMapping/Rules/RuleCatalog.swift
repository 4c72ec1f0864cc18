// Unsafe on purpose: the rule files are C arrays in the binary; each is copied when it is read.
internal import CSlipcastRules

/// A file that is embedded in the binary.
package struct RuleFile: @unchecked Sendable {
  // Safe to share: the content is a constant of the program.
  /// The path below its folder, without `.json`.
  package let name: String
  /// Its content.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: content.bytes, count: content.count)) }
  /// The name of the file, or of its folder: all files of a family of rules have the same.
  let family: String
  private let content: SlipcastRuleFile

  fileprivate init(_ content: SlipcastRuleFile) {
    self.content = content
    name = String(cString: content.name)
    family = String(name.prefix { $0 != "/" })
  }
}

/// The rule files of `Mappings/rules`, embedded in the binary.
package enum RuleCatalog {
  /// The files of `Mappings/rules`, in the order in which they are read.
  package static let files = read(slipcast_rule_file)

  /// The files of `Mappings/schemas`: JSON Schemas of what the program writes.
  package static let schemas = read(slipcast_schema_file)

  /// The files of `Mappings/exports`: the formats that providers import.
  package static let exports = read(slipcast_export_file)

  private static func read(_ next: (Int) -> UnsafePointer<SlipcastRuleFile>?) -> [RuleFile] {
    var files: [RuleFile] = []
    while let file = next(files.count)?.pointee { files.append(RuleFile(file)) }
    return files
  }
}
