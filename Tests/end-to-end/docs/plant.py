"""A text with one error of each kind that the suite must find, and the words in which it must tell of them."""

TEXT = """# A text with errors

```sh
slipcast explain status # exit status 1
slipcast diff Fixtures/pairs/price-consent-0-v2-0/v1.json Fixtures/pairs/price-consent-0-v2-0/v2.json
echo x > Fixtures/left-behind
```

```
…
PARITY  53 fields, none fails
…
```

Inline: `slipcast convrt v1.json`, `slipcast convert --grup archive.ndjson`, `slipcast explain no_such_key`,
`make no-such-target`, `swift test --no-such-option`, `swift test --filter NoSuchTestAnywhere` and
`python3 Tests/no-such-script.py`, and over two lines `make
no-second-target`.

    slipcast convert archive.ndjson \\
      --to no/such/folder/v2.ndjson
    curl example.com

```
slipcast diff v1.json no-such-file.json
```
"""

EXPECTED = (
    "exit status 0, not 1",
    "-PARITY  53 fields, none fails",
    "+PARITY  52 fields, none fails",
    "commands write outside of .build",
    "there is no command convrt",
    "slipcast convert has no option --grup",
    'unknown name "no_such_key"',
    "No rule to make target 'no-such-target'",
    "No rule to make target 'no-second-target'",
    "swift test has no option --no-such-option",
    "no test is called NoSuchTestAnywhere",
    "there is no such script",
    "no/such/folder",
    "this command is neither run nor checked",
    "no-such-file.json",
)
