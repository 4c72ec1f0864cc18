# Everything from a fresh machine: each target installs what it needs (Debian packages, a Python environment).
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

SLIPCAST := .build/release/slipcast
PACKAGES := libsimdjson-dev libssl-dev libxml2-dev libarchive-dev zlib1g-dev libsqlite3-dev libpq-dev libcurl4-openssl-dev libmicrohttpd-dev
TEST_PACKAGES := python3 python3-venv
SERVER_PACKAGES := postgresql tzdata zstd openssl
VENV := .venv
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
TARGET_CHECK := --explicit-target-dependency-import-check error

# The folder of the checkout is in no output: the same commit and packages give the same bytes in every folder.
# Breadcrumbs are names in a cache of modules.
SAME_BYTES := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
  -Xcxx -ffile-prefix-map=$(CURDIR)=. -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs

# Program and tests are built once for tests (Package.swift); what needs the command takes this one. Nobody debugs it, so
# it has no debug information.
TEST_FOLDER := .build/optimized
TEST_BUILD := SLIPCAST_OPTIMIZED=1 swift build --build-tests --scratch-path $(TEST_FOLDER) $(TARGET_CHECK) \
  -debug-info-format none
TEST_RUN := SLIPCAST_OPTIMIZED=1 python3 Tests/end-to-end/failures.py swift test --skip-build --scratch-path $(TEST_FOLDER)
# What builds the command that the suites of Tests/end-to-end try; empty where SLIPCAST is there already.
COMMAND := build

# Touched by each build of the command.
BUILT := .build/slipcast.built
PREFIX ?= /usr/local
DESTDIR ?=

BROWSER_PACKAGES := chromium chromium-driver
# Examples/apple-libraries.md has a block for Node.
NODE_PACKAGES := nodejs
# What examples pipe to and from.
DOCS_PACKAGES := jq less postgresql-client
# Programs of a database server that nothing starts but the test.
SOFTWARE_PACKAGES := mariadb-server-core mariadb-client postgresql-client
# What loads the tables of schema --sql.
SQL_PACKAGES := sqlite3 postgresql-client
# What reads manual pages and completions.
SHELL_PACKAGES := mandoc zsh fish

# What sends load to the endpoint, and what sets its clock.
SERVE_PACKAGES := wrk faketime

# What makes the download: a C library for a static program, and what edits a finished program.
BUNDLE_PACKAGES := binutils gcc musl-tools patchelf python3

# SUITE, then SLIPCAST, then options (Tests/end-to-end/run.py).
SUITE := python3 Tests/end-to-end/run.py
VENV_SUITE := $(VENV)/bin/python Tests/end-to-end/run.py
# Package.swift says what each of the two programs of the fuzzer contains.
FUZZ := .build/fuzz/release/slipcast-fuzz
FUZZ_ADDRESS := .build/fuzz-address/release/slipcast-fuzz
define fuzz_build
	SLIPCAST_FUZZ=$(1) swift build -c release --scratch-path $(2) --product slipcast-fuzz
endef
MINUTES ?= 13

.PHONY: build demo test test-all long-test suite swift-tests ready install uninstall deb bundle container release release-files-test bundle-test deb-test \
  consumer-test consumer-chroot-test planted-test damaged-test promises mutants crash-test fuzz fuzz-build fuzz-corpus sanitize \
  valgrind safety bench bench-check parity-bench spark-demo wheel docs format lint clean packages test-packages all-packages browser-packages \
  client-packages report-packages schema-packages software-packages spark-packages iceberg-packages sql-packages

# Registries and other installations may be busy for a moment.
RETRY := bash Packaging/retry.sh
APT := -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120

# Installs those of the named Debian packages that are missing; elsewhere the user brings them along.
define install
	@command -v dpkg >/dev/null || exit 0; \
	missing=""; for name in $(1); do dpkg -s $$name >/dev/null 2>&1 || missing="$$missing $$name"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing:$$missing"; \
	  $(RETRY) $(SUDO) apt-get $(APT) update -qq; \
	  $(RETRY) $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get $(APT) install -y -qq $$missing >/dev/null; \
	fi
endef

packages:
	$(call install,$(PACKAGES))

test-packages: packages
	$(call install,$(SERVER_PACKAGES))
	$(if $(shell python3 -c 'import venv, ensurepip' 2>/dev/null && echo there),,$(call install,$(TEST_PACKAGES)))

browser-packages:
	$(call install,$(BROWSER_PACKAGES))

client-packages: $(VENV)/bin/python
	$(call install,$(NODE_PACKAGES))
	@$(VENV)/bin/python -c 'import appstoreserverlibrary' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/client/requirements.txt

report-packages: browser-packages $(VENV)/bin/python
	@$(VENV)/bin/python -c 'import junitparser, selenium' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/reports/requirements.txt
	@$(VENV)/bin/python -c 'import axe_playwright_python' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 --no-deps axe-playwright-python==0.1.8

software-packages: $(VENV)/bin/python
	$(call install,$(SOFTWARE_PACKAGES))
	@$(VENV)/bin/python -c 'import bson, duckdb_cli, fastavro, moto, openpyxl' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/software/requirements.txt

schema-packages: $(VENV)/bin/python
	@$(VENV)/bin/python -c 'import jsonschema' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/schema/requirements.txt

# Spark is there where make spark-packages installed it.
sql-packages: $(VENV)/bin/python
	$(call install,$(SQL_PACKAGES))
	@$(VENV)/bin/python -c 'import datasette, duckdb_cli, sqlglot' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/sql/requirements.txt

receipt-packages: $(VENV)/bin/python
	@$(VENV)/bin/python -c 'import itunesiap' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/verify-receipt/requirements.txt

# All at once: an index of packages takes longer to fetch than most of them.
all-packages:
	$(call install,$(PACKAGES) $(SERVER_PACKAGES) $(NODE_PACKAGES) $(BROWSER_PACKAGES) $(DOCS_PACKAGES) $(SHELL_PACKAGES) $(SQL_PACKAGES))

# Without a search path of its own: an installed program must not take libraries that lie beside it.
build: packages
	swift build -c release --product slipcast --static-swift-stdlib --disable-local-rpath $(SAME_BYTES) $(TARGET_CHECK)
	@touch $(BUILT)

# The main job on real input: the fixtures are records in every shape that archives hold.
demo: build
	@echo; echo "== slipcast convert Fixtures/notifications --include v1.json (the first two records, cut)"
	@$(SLIPCAST) convert --quiet Fixtures/notifications --include v1.json --provenance .build/provenance.ndjson > .build/demo.ndjson || true
	@head -n 2 .build/demo.ndjson | cut -c 1-800 | sed 's/$$/…/'
	@echo; echo "== the closing table of a run over all records of the fixtures"
	@$(SLIPCAST) convert $$(ls -d Fixtures/notifications/*/v1.json Fixtures/receipts/*/v1.json | grep -v received-at) > /dev/null || true
	@echo; echo "== where each value came from (the first record's account, cut)"
	@head -n 1 .build/provenance.ndjson | python3 -m json.tool 2>/dev/null | head -n 40 || head -n 1 .build/provenance.ndjson | cut -c 1-1200
	@echo; echo "== broken records are rejected one by one, the rest goes on"
	@$(SLIPCAST) convert Fixtures/rejects Fixtures/streams > /dev/null || true
	@echo; echo "== slipcast diff: a V1 record beside the V2 record of the same event"
	@$(SLIPCAST) diff Fixtures/pairs/price-consent-1-v2-1/v1.json Fixtures/pairs/price-consent-1-v2-1/v2.json
	@echo; echo "== slipcast inspect: an app receipt, decoded and verified (its beginning)"
	@$(SLIPCAST) inspect --root Fixtures/receipts/signed/root.der Fixtures/receipts/signed/app-production/receipt.base64 \
	  > .build/inspection.txt; head -n 24 .build/inspection.txt
	@echo; echo "== converted records signed as Apple's are, with an identity for tests, and verified (the last three)"
	@rm -rf .build/identity; $(SLIPCAST) identity --quiet .build/identity
	@$(SLIPCAST) convert --quiet --exit-zero Fixtures/notifications --include v1.json --sign .build/identity > .build/signed.ndjson
	@$(SLIPCAST) verify --root .build/identity/root.der --format text .build/signed.ndjson > .build/verdicts.txt; \
	  tail -n 3 .build/verdicts.txt
	@echo; echo "== an archive into a database, and the life of its subscription (the middle of it)"
	@rm -f .build/demo.sqlite; $(SLIPCAST) convert --quiet --body /body --received-at /received_at \
	  Fixtures/archives/subscription/v1.ndjson --to .build/demo.sqlite --execute
	@$(SLIPCAST) timeline --quiet --format text .build/demo.sqlite > .build/timeline.txt; sed -n 14,35p .build/timeline.txt
	@echo; echo "== slipcast explain price_consent_status"
	@$(SLIPCAST) explain price_consent_status

# A command that is there and newer than all it is made of is used as it is: `sudo make install` builds nothing.
ready:
	@if [ -x $(SLIPCAST) ] && [ -e $(BUILT) ] && [ -z "$$(find Sources Mappings Package.swift $(SLIPCAST) -newer $(BUILT))" ]; \
	then exit 0; fi; \
	if [ -n "$${SUDO_USER:-}" ]; then echo "run make build first, without sudo" >&2; exit 2; fi; \
	$(MAKE) --no-print-directory build

# The command, its manual page and its completions, under PREFIX; DESTDIR goes before it.
install: ready
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' bash Packaging/install.sh install $(SLIPCAST)

uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' bash Packaging/install.sh uninstall

# A Debian package in .build/deb; lintian looks at it where it is installed.
deb: ready
	$(call install,binutils dpkg-dev patchelf python3)
	@bash Packaging/deb.sh $(SLIPCAST) .build/deb
	@if command -v lintian > /dev/null; then lintian --allow-root --fail-on error,warning .build/deb/slipcast_*.deb; fi

# The download for any Linux of this processor, in .build/bundle (Packaging/bundle/bundle.py).
bundle: ready
	$(call install,$(BUNDLE_PACKAGES))
	@python3 Packaging/bundle/bundle.py $(SLIPCAST) .build/bundle

# The Python package in .build/wheel: of the download, or of the program SLIPCAST=FILE (Packaging/wheel/wheel.py).
wheel: $(if $(filter command line,$(origin SLIPCAST)),,bundle)
	@python3 Packaging/wheel/wheel.py $(if $(filter command line,$(origin SLIPCAST)),$(SLIPCAST),$$(ls .build/bundle/slipcast-*-linux-$$(uname -m).tar.gz)) .build/wheel

# The bundle as a container image, in .build/container (Packaging/container/README.md).
container: bundle
	$(call install,ca-certificates)
	@python3 Packaging/container/image.py .build/bundle/slipcast-*-linux-$$(uname -m).tar.gz .build/container

# Everything that a release needs in one folder, .build/release-files (Packaging/release/release.py).
release: bundle deb container wheel docs
	@version=$$($(SLIPCAST) --version); \
	python3 Packaging/release/release.py $${version#slipcast } .build .build/release-files

# The release itself, opened, run, and installed in bare systems made by debootstrap, which need root; the Python package
# of the download. `make suite NAME=release` alone checks how it is put together.
release-files-test: release test-packages
	$(call install,debootstrap)
	$(SUDO) $(SUITE) release $(SLIPCAST) --release .build/release-files
	$(SUITE) wheel $(SLIPCAST) --download $$(ls .build/bundle/slipcast-*-linux-$$(uname -m).tar.gz)

# The download, moved, in an empty file system, and in bare systems made by debootstrap, which need root; REBUILD=1 also
# builds it a second time in another folder.
bundle-test: container test-packages $(VENV)/bin/python
	$(call install,debootstrap skopeo)
	@$(VENV)/bin/python -c 'import yaml' 2>/dev/null || $(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Tests/end-to-end/bundle/requirements.txt
	$(SUDO) $(VENV_SUITE) bundle $(SLIPCAST) $(if $(REBUILD),--rebuild)

# All of `make test`, and what takes longer.
test-all: test long-test planted-test damaged-test

# Thousands of pairs of archives, each with one known difference or none, compared in one process; and changes of single
# values in all fixtures.
planted-test: packages
	$(TEST_BUILD)
	SLIPCAST_PLANTED=2000 SLIPCAST_MUTATIONS=all $(TEST_RUN) --filter 'PlantedTests|MutationTests|UnreadableValueTests'

# Thousands of arrays on one line, each with one damaged byte; no more than two records may be lost in any of them. A record
# cut behind each of its bytes, which costs itself alone.
damaged-test: packages
	$(TEST_BUILD)
	SLIPCAST_DAMAGED=3000 SLIPCAST_THOROUGH=1 $(TEST_RUN) --filter 'DamagedArrayTests|BrokenItemTests|BrokenLineTests'

# Each of the first suites mostly waits, for a browser or a server: two at a time, while the tests in Swift run.
QUICK_SUITES := export serve stores reports ui client losses fetch schema forms tables sources access lifecycles answers \
  together spreadsheets revocation migration action verify-receipt terminal release wheel
test: all-packages test-packages client-packages report-packages schema-packages receipt-packages
	$(TEST_BUILD)
	@python3 Tests/end-to-end/together.py 3 swift-tests lint $(QUICK_SUITES:=-quick) COMMAND= SLIPCAST=$(TEST_FOLDER)/debug/slipcast

swift-tests:
	python3 Tests/end-to-end/postgresql.py bash Tests/end-to-end/surroundings.sh env $(TEST_RUN)

# The longer tests: kills, planted archives and losses, every documented command, faults, installing, the documentation's build;
# that the checks of reports find what is broken; the newest version of Apple's library.
LONG_SUITES := archives docs parity install serve forms software fetch losses revocation verify-receipt growth sql terminal
long-test: build test-packages
	$(MAKE) --no-print-directory -j2 --output-sync=target $(LONG_SUITES:=-test)
	$(MAKE) --no-print-directory faults-quick lifecycles-test answers-test together-test
	$(MAKE) --no-print-directory reports-test OPTIONS='--self-test --only faults'
	$(MAKE) --no-print-directory client-test OPTIONS=--newest
	swift build --build-tests $(TARGET_CHECK)
	bash Documentation/build.sh .build/docs

# The package in a bare system made by debootstrap: apt finds what it needs, and nothing of it stays behind. Needs root.
deb-test: deb
	$(call install,debootstrap)
	$(SUDO) $(SUITE) install $(SLIPCAST) --deb $$(ls -t .build/deb/slipcast_*.deb | head -n 1)

# The example package, built and tested from a folder of its own.
consumer-test: packages
	bash Tests/end-to-end/install/consumer.sh

# What each product of the package needs of a system, tried in a bare one (Examples/consumer/README.md). Needs root.
consumer-chroot-test:
	$(call install,debootstrap)
	$(SUDO) PATH="$$PATH" bash Tests/end-to-end/install/products.sh

# Suites of Tests/end-to-end, one folder each; the first lines of its `suite.py` say what it tries. `make suite NAME=serve` tries
# all of it, SIZE=quick what `make test` takes of it, and OPTIONS go to the suite: OPTIONS='--only unread', OPTIONS=--help.
# `make serve-test` and `make serve-quick` are the same in short. OPTIONS.NAME and QUICK.NAME are a suite's own options.
suite:
	@$(if $(NAME),,echo "NAME is one of:" $(notdir $(patsubst %/suite.py,%,$(wildcard Tests/end-to-end/*/suite.py))) >&2; exit 2)
	@$(MAKE) --no-print-directory $(NAME)-$(if $(filter quick,$(SIZE)),quick,test)

SUITES_IN_VENV := client reports schema software spark sql ui verify-receipt wheel
OPTIONS.answers := --customers 100 --seed $(or $(SEED),1)
OPTIONS.docs := $(if $(RECORD),--record)
OPTIONS.faults := --full
OPTIONS.fetch := --kills 17 --customers 100000
OPTIONS.growth := --all
OPTIONS.forms := --rows 1000 --megabytes 1024
OPTIONS.lifecycles := --customers 400 --seed $(or $(SEED),1)
OPTIONS.parity := --events 10000
OPTIONS.revocation := --tokens 100000
OPTIONS.serve := --kills 12
OPTIONS.together := --customers 100 --seed $(or $(SEED),1)
OPTIONS.verify-receipt := --customers 1000000
QUICK.answers := --customers 25 --only mixed --only refunds/later --only refunds/messages --only storm/later --only storm/spread --only several/several --only purchases/several --only storm-sandbox/same --only storm/messagesEarlier --only dated/messagesLater
QUICK.fetch := --quick --kills 1
QUICK.forms := --every 8
QUICK.growth := --every 3
QUICK.losses := --quick
QUICK.lifecycles := --customers 20
QUICK.together := --customers 20 --only mixed --only early --only several --only storm-sandbox/access --only storm-long/access
QUICK.reports := --quick
QUICK.schema := --quick
QUICK.serve := --kills 1
QUICK.sql := --quick
QUICK.terminal := --quick
QUICK.ui := --quick
QUICK.stores := --quick
# Debian packages of a suite.
DEBIAN.docs := $(DOCS_PACKAGES)
DEBIAN.fetch := nghttp2-proxy
DEBIAN.install := $(SHELL_PACKAGES)
DEBIAN.serve := $(SERVE_PACKAGES)
DEBIAN.verify-receipt := $(SERVE_PACKAGES)

client-test client-quick: client-packages
reports-test reports-quick ui-test ui-quick: report-packages
schema-test schema-quick: schema-packages
sql-test sql-quick: sql-packages
verify-receipt-test verify-receipt-quick: receipt-packages
software-test software-quick: software-packages
spark-test: iceberg-packages

report-test: reports-test ;
archive-test: archives-test ;
openssl-test: conformance-test ;

%-test: $(COMMAND) test-packages
	$(if $(DEBIAN.$*),$(call install,$(DEBIAN.$*)))
	$(if $(filter $*,$(SUITES_IN_VENV)),$(VENV_SUITE),$(SUITE)) $* $(SLIPCAST) $(OPTIONS.$*) $(OPTIONS)

%-quick: $(COMMAND)
	$(if $(filter $*,$(SUITES_IN_VENV)),$(VENV_SUITE),$(SUITE)) $* $(SLIPCAST) $(QUICK.$*) $(OPTIONS)

# One change of one rule at a time: the fixtures must tell each. RULE names those of some rules.
mutants: $(COMMAND)
	$(SUITE) mutants $(SLIPCAST) $(if $(RULE),--rule $(RULE))

# The same as archive-test, with many kills for each kind of target; takes some minutes.
crash-test: build test-packages
	$(SUITE) archives $(SLIPCAST) --rounds 50 --size 2

# Coverage-guided fuzzing of every target (Tests/fuzz), without and with AddressSanitizer; MINUTES for all together, TARGETS
# for some of them. It starts with Tests/fuzz/corpus. What it learnt stays in .build/fuzz-corpus, what it found in the folder
# findings there.
fuzz: fuzz-build
	bash Tests/fuzz/run.sh $(FUZZ) $(FUZZ_ADDRESS) $(MINUTES) .build/fuzz-corpus $(TARGETS)

# Keeps the fewest of the inputs in .build/fuzz-corpus that reach the same code, as Tests/fuzz/corpus.
fuzz-corpus: packages
	$(call fuzz_build,plain,.build/fuzz)
	bash Tests/fuzz/keep.sh $(FUZZ) .build/fuzz-corpus $(TARGETS)

fuzz-build: packages
	$(call fuzz_build,plain,.build/fuzz)
	$(call fuzz_build,address,.build/fuzz-address)

# The whole test suite with ThreadSanitizer, then with AddressSanitizer and its search for leaks.
sanitize: test-packages
	bash Tests/end-to-end/memory/sanitize.sh thread
	bash Tests/end-to-end/memory/sanitize.sh address

# The main commands, SQLite and PostgreSQL under valgrind.
valgrind: build test-packages
	$(call install,valgrind)
	$(SUITE) memory $(SLIPCAST)

# The compiler itself says which files are unsafe; Sources/UNSAFE.md must list them with their reasons.
safety: packages
	bash Tests/safety/strict.sh

# Breaks each promise of SECURITY.md once, and expects that its check fails; builds as often, and takes long.
promises: packages test-packages
	python3 Tests/promises/promises.py

# Spark wants Java 17 or newer; pip brings Spark itself.
spark-packages: test-packages
	$(if $(shell command -v java),,$(call install,default-jre-headless))
	@[ -x $(VENV)/bin/python ] || python3 -m venv $(VENV)
	@$(RETRY) $(VENV)/bin/pip install -q --retries 5 -r Examples/spark/requirements.txt

# Spark 3.5 with Iceberg, apart from the other Spark.
iceberg-packages: spark-packages
	@[ -x .build/spark-3.5/bin/python ] || python3 -m venv .build/spark-3.5
	@$(RETRY) .build/spark-3.5/bin/pip install -q --retries 5 --no-deps -r Tests/end-to-end/spark/iceberg.txt

# An archive converted by Spark on this machine's cores (Examples/spark/README.md).
spark-demo: build spark-packages
	bash Examples/spark/demo.sh $(SLIPCAST) $(VENV)/bin/python .build/spark

$(VENV)/bin/python:
	$(RETRY) python3 -m venv $(VENV)

# Every path against the main one and against its limit (Tests/end-to-end/paths), then single stages.
bench: build test-packages
	$(call install,$(SERVE_PACKAGES))
	$(SUITE) paths $(SLIPCAST) $(OPTIONS)
	swift run -c release slipcast-bench
	swift run -c release slipcast-bench --trust

# Fails a path that got a tenth worse than recorded; on a machine that does nothing else.
bench-check: build test-packages
	$(SUITE) paths $(SLIPCAST) --check --rounds 5

# A million planted events a side on one core: seconds, memory, and whether the counts are right.
parity-bench: build test-packages
	$(SUITE) parity $(SLIPCAST) --speed --events 1000000

# The documentation of all products as one static site in .build/docs; a warning fails it. BASE_PATH is where on its host
# the site will lie.
docs: packages
	swift build $(TARGET_CHECK)
	bash Documentation/build.sh .build/docs $(BASE_PATH)

format:
	swift format format --in-place --recursive Sources Tests Examples/testing Examples/consumer Mappings Package.swift

lint:
	@swift format lint --strict --recursive Sources Tests Examples/testing Examples/consumer Mappings Package.swift
	@python3 Tests/safety/check.py
	@python3 Tests/house/check.py
	@python3 Tests/promises/promises.py --list > /dev/null
	@python3 Tests/end-to-end/paths/rows.py

clean:
	rm -rf .build $(VENV)
