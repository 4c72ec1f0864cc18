import SlipcastBulk
import SlipcastMapping
import SlipcastSystem
import SlipcastV2
import SlipcastWire

/// Options that several commands share: a user's own rules and product catalogue.
enum RuleOptions {
  static func rules(_ arguments: Arguments) throws -> RuleSet {
    var rules = try arguments.last("mappings").map { try Self.rules($0) } ?? RuleSet.builtIn()
    for text in arguments.all("tolerance") {
      guard let sign = text.lastIndex(of: "="), let milliseconds = milliseconds(text[text.index(after: sign)...]) else {
        throw UsageError(
          "--tolerance is PATH=DURATION, such as data.transactionInfo.expiresDate=5s (ms, s, m, h or d), not \"\(text)\""
        )
      }
      do throws(RuleSet.ToleranceFault) {
        try rules.setTolerance(milliseconds, of: String(text[..<sign]))
      } catch {
        throw UsageError("--tolerance: \(error)")
      }
    }
    return rules
  }

  /// A duration such as `500ms` or `2m`; `nil` for anything else.
  private static func milliseconds(_ text: Substring) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let number = Int64(digits), let unit = units[text.dropFirst(digits.count)] else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : product
  }

  /// What the caller knows and the records do not say.
  static func conversion(_ arguments: Arguments) throws -> ConversionOptions {
    ConversionOptions(
      appAppleId: try arguments.number("app-apple-id", 1...Int64.max),
      products: try products(arguments.last("products")))
  }

  /// The built-in rules, with those of a folder.
  static func rules(_ directory: String) throws -> RuleSet {
    let files = try InputFile.find([directory], patterns: ["*.json"])
    guard !files.isEmpty else { throw UsageError("\(directory): no rule file (*.json) found") }
    var (overlays, errors) = ([(name: String, bytes: [UInt8])](), [MappingError]())
    for file in files {
      do {
        overlays.append((name: file.path, bytes: try Files.read(file.path)))
      } catch let error as FileError {
        errors.append(
          MappingError(file: file.path, line: 1, column: 1, message: "cannot \(error.action): \(error.reason)"))
      }
    }
    do {
      let rules = try RuleSet(overlays: overlays)
      guard !errors.isEmpty else { return rules }
    } catch let error as MappingErrors {
      errors += error.errors
    }
    throw MappingErrors(sorting: errors)
  }

  /// A catalogue `{"product id": "Consumable", …}`.
  static func products(_ path: String?) throws -> [String: ProductType] {
    guard let path else { return [:] }
    do {
      return try ProductCatalogue(json: try Files.read(path)).products
    } catch let error as ProductCatalogue.Fault {
      throw UsageError("\(path): \(error)")
    }
  }
}
