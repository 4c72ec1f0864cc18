// Unsafe on purpose: the rule files are C arrays in the binary; each is copied once.
internal import CSlipcastRules

/// The rule files of `Mappings/rules`, embedded in the binary.
package enum RuleCatalog {
  /// Paths below `Mappings/rules` (without `.json`) and bytes, in the order in which the files are read.
  package static let files = read(slipcast_rule_file)

  /// Names and bytes of the files of `Mappings/schemas`: JSON Schemas of what the program writes.
  package static let schemas = read(slipcast_schema_file)

  /// Names and bytes of the files of `Mappings/exports`: the formats that providers import.
  package static let exports = read(slipcast_export_file)

  private static func read(
    _ next: (Int) -> UnsafePointer<SlipcastRuleFile>?
  ) -> [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    while let file = next(files.count)?.pointee {
      files.append((String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.count))))
    }
    return files
  }
}
