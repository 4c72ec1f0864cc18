import CSlipcastProcess

/// The words that started the program.
enum CommandArguments {
  /// All words, the program's name first.
  ///
  /// Swift reads them from `/proc/self/cmdline`: an empty file system lacks it, and a loader that starts the program
  /// puts its own arguments there. The C library knows them in both cases.
  static let all: [String] = {
    var words: [String] = []
    while let word = slipcast_process_argument(Int32(words.count)) { words.append(String(cString: word)) }
    return words.isEmpty ? CommandLine.arguments : words
  }()
}
