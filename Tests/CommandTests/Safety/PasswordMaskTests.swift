import Testing

@testable import SlipcastCommand

@Suite struct PasswordMaskTests {
  static let masked: [(String, String)] = [
    ("postgres://u:S@h/d: cannot open", "postgres://u:[removed]@h/d: cannot open"),
    ("x://u:a@S@h", "x://u:[removed]@h"), ("x://u:a/S@h/d", "x://u:[removed]@h/d"),
    ("x://[::1]:S", "x://[::1]:[removed]"), ("x://[u:S@h", "x://[u:[removed]@h"),
    ("x://u:a S@h and y://v:T@i", "x://u:[removed]@h and y://v:[removed]@i"), ("x://u:S", "x://u:[removed]"),
    ("password=S", "password=[removed]"), ("a?PassWord=S&b=1", "a?PassWord=[removed]&b=1"),
    ("PGPASSWORD=S x", "PGPASSWORD=[removed] x"), ("password = 'a S' b", "password = [removed] b"),
    ("clientSecret=\"a S\" b", "clientSecret=[removed] b"), ("?p%61ssword=S", "?p%61ssword=[removed]"),
    ("a=1 password=S", "a=1 password=[removed]"), ("password=S\npassword=T", "password=[removed]\npassword=[removed]"),
    ("scram_client_key=S", "scram_client_key=[removed]"), ("password='S", "password=[removed]"),
  ]

  @Test(arguments: masked)
  func aPasswordIsTakenOut(_ words: String, _ expected: String) { #expect(PasswordMask.mask(words) == expected) }

  @Test(arguments: [
    "", "\n", "a = b", "postgresql://u@h:5432/d?table=t: cannot open", "https://example.com/a@b", "postgres://h:1/x",
    "status=4", "https://example.com:80", "the password is not shown", "a://b c:d@e", "=", "://",
    "no response of http://[::1]:1 after 3 tries", "https://[2001:db8::1]:8443/a",
    "To resume: slipcast convert postgres://u@h/d --to postgres://v@i/e --resume",
  ])
  func whatHoldsNoneStaysAsItIs(_ words: String) { #expect(PasswordMask.mask(words) == words) }
}
