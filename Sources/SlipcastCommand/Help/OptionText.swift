/// What is said of an option, in whatever form it is shown.
struct OptionText {
  /// What it does, and the words it accepts where these need no explanation.
  var before: String
  /// The words it accepts, each with what it stands for.
  var choices: [Choice]
  var after: String

  init(_ option: Option) {
    let isExplained = option.choices.contains { !$0.means.isEmpty }
    var rest: [String] = []
    if option.isRequired { rest.append("Required.") }
    if let value = option.byDefault { rest.append("Default: \(value).") }
    if option.isRepeatable { rest.append("May be given more than once.") }
    let words = option.choices.map(\.name).joined(separator: ", ")
    let named = option.choices.isEmpty || isExplained ? [] : ["One of \(words)."]
    choices = isExplained ? option.choices : []
    before = ([option.help] + (isExplained ? [] : named + rest)).joined(separator: " ")
    after = isExplained ? rest.joined(separator: " ") : ""
  }
}
