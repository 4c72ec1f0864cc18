import SlipcastBulk

/// Inputs that are stores: their records were converted before, and are passed on as they are.
enum StoreInputs {
  /// Refuses options that these records would not follow.
  static func check(_ arguments: Arguments, _ inputs: ConvertInputs, to target: RunTarget) throws {
    let stores = inputs.sources.filter(\.holdsConverted)
    guard let store = stores.first else { return }
    var options = ["sign", "emit", "verify", "require-verified", "provenance"]
    // Rows of CSV have "migration" in their last columns, which can be left out.
    if !target.isTable { options.append("plain") }
    if stores.count == inputs.sources.count {
      options += ["settle", "app-apple-id", "products", "mappings", "keep-bodies"]
    }
    let isAuto = arguments.last("emit") == "auto"
    guard let option = options.first(where: { arguments.has($0) && !($0 == "emit" && isAuto) }) else { return }
    throw UsageError(
      "--\(option) does not go with the store \(store.name): its records were converted before and are passed on as "
        + "they are; \(advice(option))")
  }

  private static func advice(_ option: String) -> String {
    switch option {
    case "sign": "slipcast sign signs its lines"
    case "plain": "remove the member \"migration\" from its lines"
    default: "use the option where legacy records are converted into a store"
    }
  }
}

extension RecordSource {
  /// Its records are V2 lines of a store.
  fileprivate var holdsConverted: Bool { if case .rows(let feed, _) = self { feed.holdsConverted } else { false } }
}
