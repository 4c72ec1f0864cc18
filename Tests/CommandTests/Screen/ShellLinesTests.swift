import Testing

@testable import SlipcastCommand

/// Commands that are broken for a narrow terminal.
@Suite struct ShellLinesTests {
  @Test func aShellReadsTheSameCommand() throws {
    let command = "printf %s|  one 'two  three' \"four five\" six seven eight nine ten"
    let whole = try Program.shell("printf '%s|' one 'two  three' \"four five\" six seven eight nine ten").output
    for width in [12, 20, 30, 40, 200] {
      let lines = ShellLines.broken(command.replacing("%s|", with: "'%s|'"), indent: 4, width: width)
      #expect(try Program.shell(lines.joined(separator: "\n")).output == whole)
      #expect(width < 20 || lines.allSatisfy { $0.count <= width })
    }
  }

  @Test func whatFitsStaysAsItIs() {
    #expect(ShellLines.broken("slipcast help", indent: 2, width: 15) == ["  slipcast help"])
  }
}
