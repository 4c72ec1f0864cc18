import SlipcastComparison
internal import SlipcastMapping

/// The choice of classes and the search above the groups of fields.
struct HTMLFilters {
  /// Fields per class.
  let counts: [DifferenceClass: Int]

  /// Adds the controls, which only a script can serve and the page hides where none runs, and the groups under them.
  func add(to parent: HTMLElement, _ groups: () -> Void) {
    let controls = parent.add("div", ["class": "controls"])
    tiles(controls.add("div", ["class": "tiles", "role": "group", "aria-label": "Classes to show"]))
    bar(controls.add("div", ["class": "bar"]))
    groups()
    parent.add("p", ["class": "empty", "id": "nothing", "hidden": "hidden"], text: "No field fits the filters.")
  }

  /// The section of a class, with its heading.
  static func group(_ differenceClass: DifferenceClass, count: Int, level: String = "h2", _ parent: HTMLElement)
    -> HTMLElement
  {
    let name = differenceClass.rawValue
    let section = parent.add("section", ["class": "group \(name)", "aria-labelledby": "group-\(name)"])
    let heading = section.add(level, ["id": "group-\(name)"])
    heading.add("span", ["class": "name"], text: name)
    heading.add(text: " ")
    heading.add("span", ["class": "about"], text: "\(Comparison.words(count)): \(differenceClass.meaning)")
    return section
  }

  private func tiles(_ tiles: HTMLElement) {
    for differenceClass in DifferenceClass.allCases {
      let name = differenceClass.rawValue
      let count = counts[differenceClass, default: 0]
      let tile = tiles.add("button", ["type": "button", "class": "tile \(name)", "data-class": name])
      // Fields that agree are of no interest at first; the script alone may leave them out.
      tile.set("aria-pressed", "true")
      tile.set("title", differenceClass.meaning)
      if count == 0 { tile.set("disabled", "disabled") }
      tile.add("span", ["class": "number"], text: String(count))
      tile.add(text: " ")
      tile.add("span", ["class": "name"], text: name)
    }
  }

  private func bar(_ bar: HTMLElement) {
    bar.add("label", ["for": "search"], text: "Search")
    bar.add(
      "input",
      [
        "id": "search", "type": "search", "autocomplete": "off", "spellcheck": "false",
        "placeholder": "path, value or meaning", "aria-keyshortcuts": "/", "aria-describedby": "keys",
      ])
    bar.add("span", ["id": "keys", "class": "keys"], text: "/ to search, Esc to clear")
    bar.add("button", ["type": "button", "id": "every"], text: "Show all")
    bar.add("button", ["type": "button", "id": "unfold"], text: "Open all")
    bar.add("p", ["id": "result", "role": "status", "aria-live": "polite"])
  }
}
