# make            build static binaries into bin/, with completions and manual pages
# make install    copy what was built below PREFIX; needs no Go
# make uninstall  remove what was copied, and nothing else
# make release VERSION=v0.1.0   archives, packages and sums of a version into DIST
# make release-test   the same bytes twice, install and uninstall, go install, each package in a root of its own
# make generate   write gen/, gates/*_gen.go, docs/rules and the schema from rules/; man/ and the reference of config.toml
# make docs       write into the pages what their examples print now
# make rules      generate, lint, and judge the rules' examples
# make test       all tests;  make race   with the race detector
# make lint       gofmt, vet, staticcheck, the form of rule files
# make fuzz       every fuzz target for FUZZTIME, 5s or a number of runs: 5000x
# make oracle     what real shells do in a jail, against what was seen; SEED=0 makes other lines each time, BUT=env compares less
# make python-syntax  trees of Python texts, and of what mutations make of them, against those of CPython;  make python-syntax PYTHONS='python3.8 python3.14'
# make oracle-code  the same for code of Python and JavaScript, in the interpreters;  SEED=0 TEXTS=100000
# make hunt       search for MINUTES with random seeds;  make hunt KIND='oracle differential metamorphic rules layers code fuzz';  make hunt KIND=oracle PRODUCTION=environ
# make e2e-exports  the agents' real engines judge the exported policy files;  make e2e-exports NEWEST=1  their newest versions
# make e2e-hosts  the agents themselves, with bashgate as their hook;  make e2e-hosts HOSTS='gemini codex'
# make compare    other gates from package registries, asked the same questions;  make compare CORPUS='file.jsonl ...'
# make javascript-syntax   what the gate reads in JavaScript, against acorn;  make javascript-syntax JS_TEXTS='file.texts dir'
# make page       the page of a replayed history in a headless Chromium;  make page SHOTS=dir  with pictures
# make cross      vet for every system that is supported
# make wine       tests of files and the hook, built for Windows, under Wine
# make tools-drift  compare the shells tables with the tools of the agents' newest packages
# make audit      where option tables disagree with manual pages;  make audit FACTS=file.jsonl  and with tables of others
# make load       HOOKS hooks at once, a third of them killed on their way: no label may be lost
# make load-serve  10,000 decisions a minute over the socket for LOAD, 5m or 30s, while 1,000 questions wait
# make sessions   what agents' workdays ask with taint, against what they ask without;  make sessions DAYS=dir
# make bench      what bashgate costs, beside its limits;  make bench CORPUS='file.jsonl ...' BENCH_FLAGS=-json

GO         ?= go
PREFIX     ?= /usr/local
DESTDIR    ?=
VERSION    ?=
REVISION   ?= $(shell git rev-parse HEAD 2>/dev/null)
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)
TARGETS    ?=
DIST       ?= dist
FUZZTIME   ?= 5s
EXECUTIONS ?= 100000
SEED       ?= 1
HOOKS      ?= 4000
LOAD       ?= 5m
DAYS       ?= $(wildcard ../shared/sessions)
MINUTES    ?= 30
KIND       ?= oracle differential metamorphic rules layers code fuzz
TEXTS      ?= 20000
HUNT_DIR   ?= /tmp/bashgate-hunt
SHELLS     ?=
PRODUCTION ?=
BUT        ?=
PYTHONS    ?= python3
MUTATIONS  ?= 3000
comma      := ,
space      := $(subst ,, )
E2E_DIR    ?= /tmp/bashgate-e2e
E2E_FLAGS  ?=
NEWEST     ?=
HOSTS      ?= claude gemini codex qwen copilot kimi cline opencode pi
HOSTS_FLAGS ?=
SHOTS      ?=
COMPARE_FLAGS ?=
JS_TEXTS   ?=
CORPUS     ?= $(wildcard ../shared/corpora/agent_cmds.jsonl ../shared/corpora/ci_cmds.jsonl)
BENCH_FLAGS ?=
PEER_LISTS = gtfobins atomic agent_readonly tldr_readonly agent_cmds
FACTS      ?=
WINE       ?= ./internal/disk
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: all
all:
	$(GO) run ./internal/release -o bin/ ./cmd/bashgate ./cmd/bashgated
	$(GO) run ./internal/release share bin

# Copies, and notes what it copied in share/doc/bashgate/installed, by which
# uninstall goes, whatever version is checked out then.
prefix   = $(DESTDIR)$(PREFIX)
manifest = $(prefix)/share/doc/bashgate/installed

.PHONY: install
install:
	@if ! [ -x bin/bashgate ] || ! [ -x bin/bashgated ] || ! [ -d bin/share ]; then \
		echo 'install: error: bin/ does not hold what is to be installed' >&2; \
		echo 'hint: run make first, as yourself; only make install needs more rights' >&2; exit 1; \
	fi
	@set -e; umask 022; install -d '$(prefix)/bin'; \
	install -m 755 bin/bashgate bin/bashgated '$(prefix)/bin/'; \
	(cd bin && find share -type f) | sort | while read -r file; do \
		install -d "$$(dirname '$(prefix)'/"$$file")"; install -m 644 "bin/$$file" '$(prefix)'/"$$file"; \
	done; \
	{ printf '%s\n' bin/bashgate bin/bashgated share/doc/bashgate/installed; cd bin && find share -type f; } | LC_ALL=C sort >'$(manifest)'

.PHONY: uninstall
uninstall:
	@if ! [ -f '$(manifest)' ]; then \
		echo 'uninstall: error: no $(manifest)' >&2; \
		echo 'hint: give the PREFIX and DESTDIR that make install was given' >&2; exit 1; \
	fi
	@set -e; list=$$(cat '$(manifest)'); cd '$(prefix)'; \
	for file in $$list; do rm -f "$$file"; done; \
	for file in $$list; do case $$file in share/*) rmdir -p "$${file%/*}" 2>/dev/null || :;; esac; done

# The date is that of the commit, so that others get the same bytes.
.PHONY: release
release:
	$(GO) run ./internal/release all -version '$(VERSION)' -revision '$(REVISION)' -date '$(SOURCE_DATE_EPOCH)' -targets '$(TARGETS)' '$(DIST)'

# For TARGETS, which must hold that of this machine. Root also installs the
# packages of Linux; what a tool is missing for is said.
.PHONY: release-test
release-test:
	e2e/release/test.sh '$(or $(TARGETS),$(shell $(GO) env GOOS)/$(shell $(GO) env GOARCH))'

# Each system is vetted, with tests, for the processor that is not this one; linux/amd64
# is what runs here. A release builds them all.
.PHONY: cross
cross:
	@set -e; for os in linux darwin freebsd windows; do \
		echo "vet $$os/arm64"; \
		GOOS=$$os GOARCH=arm64 CGO_ENABLED=0 $(GO) vet ./...; \
	done

# Needs Wine, 64 bits of it: apt-get install --no-install-recommends wine wine64.
.PHONY: wine
wine:
	$(GO) run ./e2e/wine $(WINE)

.PHONY: generate
generate:
	$(GO) generate ./...

# Read what it changes: a page says what a reader should see.
.PHONY: docs
docs:
	$(GO) test ./cmd/bashgate -run '^Test(Docs|Picture|SourcesPage|ReasonsPage|Stable)$$' -update
	$(GO) generate ./internal/reference

.PHONY: rules
rules: generate
	$(GO) run ./cmd/bashgate rules lint
	$(GO) test ./gen

.PHONY: test
test:
	$(GO) test ./...

# The race detector needs cgo. It looks at the packages in which something runs
# side by side, but for the hunts of oracle, whose tests do one thing after the
# other; in the others it finds nothing, and takes minutes for it. Those of cmd and
# e2e start programs, into which it does not see.
.PHONY: race
race:
	CGO_ENABLED=1 $(GO) test -race -timeout 20m $$(grep -rlE '\bgo func|\.Go\(|t\.Parallel\(' --include='*.go' engine gates internal | xargs -n1 dirname | sort -u | grep -v oracle | sed 's|^|./|')

.PHONY: lint
lint:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt: not formatted:" $$files; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) run $(ACTIONLINT) -shellcheck= -pyflakes= .github/workflows/*.yml
	$(GO) run ./cmd/bashgate rules fmt --check rules rules/packs rules/profiles

# Each package is built once: go test would link its tests anew for each target. What
# is found on the way is kept where go test -fuzz keeps it.
.PHONY: fuzz
fuzz:
	@set -e; tests=$$(mktemp -d); trap 'rm -rf "$$tests"' EXIT; cache=$$($(GO) env GOCACHE)/fuzz; \
	for dir in $$(grep -rl '^func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
		$(GO) test -c -fuzz=. -o "$$tests/fuzz.test" $$dir; name=$$($(GO) list $$dir); \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$dir/*_test.go); do \
			echo "fuzzing $$dir $$target"; \
			(cd $$dir && "$$tests/fuzz.test" -test.run='^$$' -test.fuzz="^$$target$$" -test.fuzztime=$(FUZZTIME) -test.fuzzcachedir="$$cache/$$name"); \
		done; \
	done

.PHONY: audit
audit:
	$(GO) run ./cmd/bashgate rules audit --only arity,harm $(if $(FACTS),--facts '$(FACTS)') rules/*.toml

# About three minutes. A limit that is not kept fails nothing. Lines of others
# in place of the project's samples, where there are some.
.PHONY: bench
bench:
	$(GO) run ./internal/bench $(BENCH_FLAGS) $(CORPUS)

.PHONY: load
load:
	BASHGATE_HOOKS=$(HOOKS) $(GO) test -count=1 -v -run '^TestLoad$$' ./cmd/bashgate

.PHONY: load-serve
load-serve:
	BASHGATE_LOAD=$(LOAD) $(GO) test -count=1 -v -timeout 60m -run '^TestLoad$$' ./internal/serve

# Days of others beside those of the project, where there are some.
.PHONY: sessions
sessions:
	$(GO) run ./internal/workday $(DAYS)

.PHONY: clean
clean:
	rm -rf bin '$(DIST)'

# Needs root, name spaces and a C compiler; takes about eight minutes on two
# cores. dash and zsh count if they are installed.
# Its whole standard library, and the Python in the commands of CORPUS.
.PHONY: python-syntax
python-syntax:
	BASHGATE_PYTHONS='$(PYTHONS)' BASHGATE_CORPORA='$(abspath $(CORPUS))' BASHGATE_MUTATIONS=$(MUTATIONS) BASHGATE_SEED=$(SEED) \
		$(GO) test -count=1 -v -timeout=60m -run='^(TestLibrary|TestMutations|TestOddCharacters)$$' ./internal/python

.PHONY: oracle
oracle:
	$(GO) run ./internal/oracle -n $(EXECUTIONS) -seed $(SEED) $(if $(SHELLS),-shells '$(SHELLS)') $(if $(BUT),-but '$(BUT)')

# Needs root, name spaces, a C compiler, and python3 or node; a language that is
# not there is skipped, and says so. A tenth of the texts must be understood.
.PHONY: oracle-code
oracle-code:
	$(GO) run ./internal/oracle -texts $(TEXTS) -seed $(SEED) -allowed 0.1

# Each kind has the same part of the time, and goes on where it ended last.
# Finds are shrunk and kept in HUNT_DIR/finds.jsonl as rows for
# internal/oracle/testdata; those of a fuzzer are below testdata/fuzz of its
# package. Code is made of that of CORPUS, too. SHELLS='bash,bash53=/opt/bash-5.3/bin/bash' takes other shells.
.PHONY: hunt
hunt: searched = $(filter-out fuzz,$(KIND))
hunt:
	@status=0; part=$$(( $(MINUTES) * 60 / $(words $(KIND)) )); \
	if [ -n '$(searched)' ]; then \
		$(GO) run ./internal/oracle -hunt $$(( part * $(words $(searched)) ))s -kinds '$(subst $(space),$(comma),$(strip $(searched)))' -dir '$(HUNT_DIR)' -corpus '$(CORPUS)' $(if $(SHELLS),-shells '$(SHELLS)') $(if $(PRODUCTION),-production '$(PRODUCTION)') || status=1; \
	fi; \
	if [ -n '$(filter fuzz,$(KIND))' ]; then \
		targets=$$(grep -rh '^func Fuzz' --include='*_test.go' . | wc -l); \
		$(MAKE) fuzz FUZZTIME=$$(( part / targets + 1 ))s || status=1; \
	fi; exit $$status

# Installs pinned packages from the npm registry (1.7 GB, no install scripts)
# into E2E_DIR; for Linux on x86-64. E2E_FLAGS="-part 10 gemini" judges less.
# NEWEST=1 installs the newest packages in place of the pinned ones, into a
# directory beside, and says which they are.
.PHONY: e2e-exports
e2e-exports: packages = $(E2E_DIR)$(if $(NEWEST),-newest)
e2e-exports:
	e2e/$(if $(NEWEST),newest,install).sh e2e '$(packages)'
	$(GO) run ./e2e -packages '$(packages)' $(E2E_FLAGS)

# Installs pinned agents from the npm registry (1.9 GB, no install scripts) into
# E2E_DIR/hosts and lets a model played here tell them to run commands; for
# Linux on x86-64. HOSTS chooses. HOSTS_FLAGS="-v" prints what the model was told,
# HOSTS_FLAGS="-doc docs/hosts.md -date $(date +%F)" writes the table there.
.PHONY: e2e-hosts
e2e-hosts:
	@set -e; for host in node $(HOSTS); do e2e/install.sh "e2e/hosts/packages/$$host" '$(E2E_DIR)'"/hosts/$$host"; done
	$(GO) run ./e2e/hosts -packages '$(E2E_DIR)/hosts' $(HOSTS_FLAGS) $(HOSTS)

# Installs pinned gates from the npm registry (250 MB, no install scripts) into
# E2E_DIR/compare and asks them and bashgate about the lines of lists; for Linux
# on x86-64. COMPARE_FLAGS='-doc docs/comparison.md -date YYYY-MM-DD' writes the
# page, '-rows 0' asks about all lines. Twenty minutes; nothing of a list is run.
.PHONY: compare
compare: lists = $(if $(filter file,$(origin CORPUS)),$(wildcard $(PEER_LISTS:%=../shared/corpora/%.jsonl)),$(CORPUS))
compare:
	e2e/install.sh e2e/compare/packages '$(E2E_DIR)/compare'
	$(GO) run ./e2e/compare -packages '$(E2E_DIR)/compare' $(COMPARE_FLAGS) $(lists)

# Needs npm and Node.
.PHONY: javascript-syntax
javascript-syntax:
	@if ! command -v npm >/dev/null || ! command -v node >/dev/null; then \
		echo 'javascript-syntax: SKIPPED: needs npm and Node' >&2; exit 0; \
	else \
		e2e/install.sh e2e/javascript/packages '$(E2E_DIR)/javascript' && \
		$(GO) run ./e2e/javascript -packages '$(E2E_DIR)/javascript' '$(E2E_DIR)/javascript/node_modules' $(JS_TEXTS); \
	fi

# Needs a Chromium; it reaches no other machine.
.PHONY: page
page:
	$(GO) run ./e2e/page $(if $(SHOTS),-shots '$(SHOTS)')

# Fetches the newest packages of Claude Code and Gemini CLI with npm; fails
# where a tool of theirs that runs commands is in no [[shells]] table.
.PHONY: tools-drift
tools-drift:
	$(GO) run ./e2e/drift
