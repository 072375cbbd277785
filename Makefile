# The front door. `make` alone tells what there is.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift

# Debug and release lie side by side in .build. The bench is built exactly as what `make install` copies, so that it measures
# what runs, and the two share one build.
# The checkout's path is in nothing that is built, so that a build elsewhere gives the same bytes (`make reproduce`): paths are mapped;
# debug information doesn't name the compiled C modules, whose names are made from the map; and no object has a hash of its compilation.
ANYWHERE := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/thumbturn -Xcc -ffile-prefix-map=$(CURDIR)=/thumbturn \
	$(foreach option,-no-clang-module-breadcrumbs -disable-incremental-llvm-codegen,-Xswiftc -Xfrontend -Xswiftc $(option))
RELEASE := -c release --static-swift-stdlib --disable-local-rpath $(ANYWHERE)
INSTALLED := thumbturn thumbturnd thumbturn-front thumbturn-tpm thumbturn-reader thumbturn-prompt thumbturn-window \
	thumbturn-window-launcher thumbturn-passcode thumbturn-simulator thumbturn-secret-service thumbturn-secrets thumbturn-polkit thumbturn-companion thumbturn-sign-in thumbturn-server
# Where `make install` finds built programs; given on the command line, nothing is built.
BIN ?=

# The prompt in a window, and GTK with it, is in the manifest only for who asks.
export THUMBTURN_WINDOW := 1

.DEFAULT_GOAL := help
.PHONY: help setup setup-build languages build demo test test-room test-crash test-attacks test-parts test-vectors test-machine test-judges test-bare test-tsan test-asan test-repeat soak mutants fuzz reproduce lint docs bench bench-sign-in release release-shared install uninstall deb lint-packages clean
.PHONY: library python

help: ## this list
	@echo "make …"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "PREFIX ($(PREFIX)) and DESTDIR ($(DESTDIR)) say where install puts things."

setup: ## install the Debian packages that are missing for everything here, check for Swift
	@scripts/setup

setup-build:
	@scripts/setup build

# A language's file is all that a translator writes: whoever builds has it written into the source.
build test test-room release release-shared: languages
languages: ## put the languages of the prompts into the source, after one was changed or added
	@scripts/write-languages

build: setup ## build everything, debug
	$(SWIFT) build

# What the demo runs, and nothing else is built for it: no window, so no GTK. V=1 shows the builds.
DEMONSTRATED := thumbturn-demo thumbturn-server thumbturnd thumbturn thumbturn-prompt
demo: export THUMBTURN_WINDOW :=
demo: ## show it at work, with a scripted finger; installs no service
	@scripts/setup demo
	@scripts/quietly .build/demo.log "building what the demo shows" \
		sh -ec 'for program in $(DEMONSTRATED); do $(SWIFT) build --product $$program; done'
	@scripts/demo "$$($(SWIFT) build --show-bin-path)"

test: setup ## build and run all tests; ends with what was tried, and with each test that was skipped and why
	@scripts/setup-python
	@scripts/setup deb
	$(SWIFT) build --build-tests
	SWIFT="$(SWIFT)" scripts/tally all scripts/test-apart 16

# A build of its own: the room, what it needs, and nothing else. Without the packages that the rest needs, too.
test-room: ## one room's tests, ROOM=Access (FILTER=SUITE for some): a minute the first time, seconds after
	@test -d "Tests/$(ROOM)Tests" -a -n "$(ROOM)" || { echo "say which room: make test-room ROOM=Access" >&2; exit 64; }
	THUMBTURN_ROOM=$(ROOM) $(SWIFT) test --scratch-path .build-room --filter '^$(ROOM)Tests\.$(if $(FILTER),.*$(FILTER))'

test-crash: setup ## crashes, errors of the disk and damage, all of them
	$(SWIFT) build --build-tests
	THUMBTURN_CRASH=whole scripts/tally crash $(SWIFT) test --skip-build --filter '^CrashTests\.|^DesktopTests\.ProviderKillTests/|^LedgerTests\.ServerKillTests/|^LoginTests\.LoginFaultTests/'

# The suites that attack, and the tests of others that do. scripts/check-threats holds this list to the tests that note an attack.
ATTACKS := ^AttackTests\. ^ServiceTests\.AuditAttackTests/ ^ServiceTests\.TouchAttackTests/ \
	^ServiceTests\.CompanionAttackTests/ ^ServiceTests\.ReaderAttackTests/ ^CompanionTests\.ConversationTests/ ^CompanionTests\.PairingTests/ \
	^ClientTests\.DaemonProcessesTests/ ^CompanionTests\.CarryingTests/ \
	^SignInServerTests\.AccountAttackTests/ ^SignInServerTests\.AfterwardsAttackTests/ \
	^SignInServerTests\.CrowdTests/passwords ^SignInServerTests\.TimeTests/turnsOfClients \
	^SignInServerTests\.TimeTests/stretchingOfClients ^SSHAgentTests\.OnDevice/CrowdTests/crowd \
	^SensorsTests\.OnABus/ForgeryTests/ ^SensorsTests\.OnABus/FingerprintTests/lies \
	^SensorsTests\.OnABus/WholePathTests/elsewhere ^SensorsTests\.OnABus/LogindTests/forged \
	^BusTests\.OnABus/NameTests/forgery ^BusTests\.OnABus/ResidueTests/ \
	^SensorsTests\.FaceModelRefusalTests/ ^PAMTests\.FaceModelTests/ \
	^IdentitiesTests\.IdentityAttackTests/ \
	^ServiceTests\.LoginQuestionTests/ ^FrontTests\.CrowdTests/storeless ^PolkitAgentTests\.AskingProcessesTests/command ^ServiceTests\.LoginConsoleTests/ ^ServiceTests\.PolkitTests/ ^PolkitAgentTests\.AgentTests/others ^ServiceTests\.LoginModuleTests/typed ^ServiceTests\.LoginModuleTests/greeterOtherwise ^ServiceTests\.LoginModuleTests/again ^ServiceTests\.LoginModuleTests/own ^PAMTests\.LoginTests/refused ^ServiceTests\.SudoTests/ \
	^CommandLineTests\.HelperAttackTests/ ^DesktopTests\.NaggingTests/ ^DesktopTests\.OddCallTests/ \
	^PAMTests\.FirstPasscodeTests/first ^PAMTests\.HelperTests/memory
empty :=
ATTACKS_FILTER := $(subst $(empty) $(empty),|,$(strip $(ATTACKS)))

test-attacks: setup ## everything in docs/contributors/threat-model.md that is attacked by a program
	$(SWIFT) build --build-tests
	scripts/tally attacks $(SWIFT) test --skip-build --filter '$(ATTACKS_FILTER)'

test-vectors: setup ## the published vectors in Tests/VectorTests/Vectors, in software and on a TPM, a line a file
	$(SWIFT) build --build-tests
	scripts/tally vectors $(SWIFT) test --skip-build --filter '^VectorTests\.'

test-parts: setup ## the tests against the real fprintd, PAM and swtpm, and of the prompt in a real window
	$(SWIFT) build --build-tests
	scripts/tally-parts fprintd $(SWIFT) test --skip-build --filter '^SensorsTests\.'
	scripts/tally-parts pam=libpam0g $(SWIFT) test --skip-build --filter '^PAMTests\.|^ServiceTests\.(LoginModule|Sudo)Tests/'
	scripts/tally-parts swtpm $(SWIFT) test --skip-build --filter '^CustodyTests\.'
	scripts/tally-parts prompt=libgtk-4-1 $(SWIFT) test --skip-build --filter '^WindowTests\.'

test-machine: deb ## what only a machine that boots shows, on an emulated one (PARTS='install power' for some)
	@scripts/setup machine
	$(SWIFT) build $(RELEASE) --product thumbturn-test-client
	scripts/test-machine $(PARTS)

# What runs on that side: a provider and what it takes. Everything else is other people's.
JUDGED_PROGRAMS := thumbturn thumbturnd thumbturn-secrets thumbturn-simulator thumbturn-test-kept
test-judges: setup ## other people's suites and programs against our Secret Service, fetched by apt and pip (PART='keyring git' for some)
	@scripts/setup judges
	for program in $(JUDGED_PROGRAMS); do $(SWIFT) build --product $$program || exit 1; done
	THUMBTURN_BIN="$$($(SWIFT) build --show-bin-path)" scripts/test-judges $(PART)

# Left out: packages of other people's that are built without the sanitizer, and two searches of a process's whole memory: the
# sanitizer keeps what is freed, and takes reading everybody's memory for the race that it is. Few tests run at once: all of them
# together are so slow that their time limits end them.
WITHOUT_SANITIZER := NeighbourTests ^CryptoTests\.ResidueTests ^AttackTests\.AppKeyMemoryTests

TSAN := --sanitize=thread --scratch-path .build-tsan
test-tsan: setup ## the tests under the thread sanitizer, in a build of their own
	@scripts/setup-python
	@scripts/setup deb
	$(SWIFT) build --build-tests $(TSAN)
	SWIFT="$(SWIFT)" scripts/test-apart 4 $(TSAN) $(addprefix --skip ,$(WITHOUT_SANITIZER))

# Left out beside those: tests that weigh a process's memory, of which the address sanitizer takes several times as much.
WITHOUT_ADDRESS := ^AttackTests\.CrowdAttackTests ^CommandLineTests\.BackupFileTests/memory

# scripts/test-sanitized says which options they have, and why.
test-asan: setup ## the tests under the address sanitizer, and what is in C under the undefined behaviour sanitizer too
	@scripts/setup-python
	@scripts/setup deb
	SWIFT="$(SWIFT)" scripts/test-sanitized $(addprefix --skip ,$(WITHOUT_SANITIZER) $(WITHOUT_ADDRESS))

# Each suite of Tests/repeat.txt again and again, in processes of its own.
TIMES ?= 20
test-repeat: setup ## suites of every room, each test alone, in any order, 20 times in a row (ONLY='Storm Meter' for some, TIMES=5, SEED=7)
	@scripts/setup-python
	$(SWIFT) build --build-tests
	scripts/test-repeat --times $(TIMES) $(if $(SEED),--seed $(SEED)) $(ONLY)

mutants: setup ## plant the wrongs of Tests/Mutants in a copy, see whether the tests find them (ONLY="Access Custody.4" for some, FRESH=1 for all anew); takes hours
	scripts/mutants $(if $(FRESH),--fresh) $(ONLY)

# As installed, beside the program that uses it. scripts/soak says what it needs.
SOAKED := thumbturn-front thumbturnd thumbturn-reader thumbturn-passcode thumbturn-test-soak
soak: setup ## eight users for 30 minutes, with faults, held against a model of what each may see; as root (SECONDS=300, SEED=7)
	for program in $(SOAKED); do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done
	scripts/soak "$$($(SWIFT) build $(RELEASE) --show-bin-path)" --seconds $(or $(SECONDS),1800) $(if $(SEED),--seed $(SEED))

PARSERS_IN_C := libthumbturn login-module
in_swift = $(or $(if $(ONLY),,all),$(filter-out $(PARSERS_IN_C),$(ONLY)))
in_c = $(or $(if $(ONLY),,all),$(filter $(PARSERS_IN_C),$(ONLY)))
# No window is fuzzed, so no GTK.
fuzz: export THUMBTURN_WINDOW :=
fuzz: setup ## fuzz every parser of others' bytes (ONLY='json elf' for some, FOR=SECONDS for each)
	@status=0; \
	$(if $(in_swift),scripts/fuzz $(filter-out $(PARSERS_IN_C),$(ONLY)) || status=1;) \
	$(if $(in_c),scripts/fuzz-c $(filter $(PARSERS_IN_C),$(ONLY)) || status=1;) \
	exit $$status

# What the pages' samples are compiled against, and the commands that they name.
DOCUMENTED := ThumbturnSimulator Thumbturn LocalAuthentication Security thumbturn thumbturn-server
documented = for product in $(DOCUMENTED); do $(SWIFT) build --product $$product || exit 1; done

test-bare: ## what a newcomer sees, on a bare Debian 12 made just now; as root, PART="demo app" for some of it
	@scripts/setup bare
	@scripts/test-bare $(PART)

lint: setup ## formatting, the arrows between rooms, the bans, the tests of every promise, the mutants, the pages (builds what they show), what scripts write
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Examples Package.swift
	scripts/check-house
	scripts/check-threats
	scripts/check-assurance
	scripts/mutants --check
	scripts/write-status-codes --check
	scripts/write-languages --check
	$(documented)
	scripts/check-docs
	scripts/bench-picture --check

docs: setup ## build the API reference, in .build/docs
	$(documented)
	scripts/reference

# A ratio that falls short fails the run, once everything is measured.
bench: release ## build as installed, measure beside gnome-keyring; fails where a goal is missed (ONLY='calls store' for some of it)
	@scripts/setup bench
	$(SWIFT) build $(RELEASE) --product thumbturn-bench
	status=0; "$$($(SWIFT) build $(RELEASE) --show-bin-path)/thumbturn-bench" $(ONLY) || status=1; \
	$(if $(ONLY),,scripts/bench-sign-in peer half || status=1; scripts/bench-picture || status=1;) exit $$status

bench-sign-in: release ## whole sign-ins over HTTP beside a server in Python (ONLY="peer half" for some)
	@scripts/setup bench
	status=0; scripts/bench-sign-in $(ONLY) || status=1; $(if $(ONLY),,scripts/bench-picture || status=1;) exit $$status

# Says of what the programs in a folder are made, in a file beside them.
bill = scripts/sbom $(1) $(INSTALLED) pam_thumbturn.so >$(1)/thumbturn.spdx.json.new && mv $(1)/thumbturn.spdx.json.new $(1)/thumbturn.spdx.json

release: setup-build ## build the programs as they are installed
	for program in $(INSTALLED); do $(SWIFT) build $(RELEASE) --product $$program || exit 1; done
	PREFIX="$(PREFIX)" scripts/library .build/release/library
	scripts/login-module .build/release
	$(call bill,.build/release)

reproduce: setup-build ## build what is committed twice, in two folders, and compare every byte (OTHER=FOLDER: with an installation)
	@scripts/reproduce $(OTHER)

# No Swift: a C compiler and libc.
library: ## build libthumbturn, for C and what calls C, in .build/library
	@PREFIX="$(PREFIX)" scripts/library .build/library

python: library ## build the wheel of the Python package, in .build/python; installing it takes no compiler
	@rm -rf .build/python && scripts/python-wheel .build/library .build/python

# Under sudo nothing is compiled: `make release` first, as yourself, then `sudo make install`.
install: $(if $(BIN)$(SUDO_USER),,release) ## install programs, units, completions and man pages
	BIN="$(or $(BIN),.build/release)" PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install put

uninstall: ## remove what install put there, and only that
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install remove

# The programs of Debian's packages share Swift's runtime, which lies in a folder of theirs. Two carry their own: signing in has
# Foundation inside, which nothing else would share, and the simulator would load Testing, and Foundation with it.
RUNTIME := /usr/lib/$(shell gcc -print-multiarch 2>/dev/null)/thumbturn
# What a laptop installs is to be small: what a program never calls is left out, functions of equal bytes are one, and the relocations
# are packed, as the libc of Debian 12 reads them. That is a fifth of the programs. Without the implicit import nothing here can use regular
# expressions, or search a text for a text: each process would load two more libraries for that.
SMALL := -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld -Xlinker --icf=all \
	-Xlinker -z -Xlinker pack-relative-relocs \
	-Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import -Xlinker --as-needed
SHARED := -c release --scratch-path .build-shared $(ANYWHERE) --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath \
	-Xlinker -rpath -Xlinker $(RUNTIME) -Xlinker --build-id=sha1 $(SMALL)
ALONE := thumbturn-sign-in thumbturn-simulator
release-shared: setup-build
	for program in $(filter-out $(ALONE),$(INSTALLED)); do $(SWIFT) build $(SHARED) --product $$program || exit 1; done
	$(SWIFT) build $(RELEASE) --product thumbturn-simulator
	$(SWIFT) build $(RELEASE) --product thumbturn-sign-in $$(scripts/small-icu .build/small-icu.o)
	cp $(ALONE:%=.build/release/%) .build-shared/release
	PREFIX=/usr scripts/library .build-shared/release/library
	scripts/login-module .build-shared/release
	$(call bill,.build-shared/release)

deb: $(if $(BIN),,release-shared) ## make the Debian packages, in .build/deb
	@scripts/setup deb
	BIN="$(or $(BIN),.build-shared/release)" scripts/deb .build/deb

lint-packages: ## have lintian judge the packages that `make deb` made, weigh what a laptop installs, and sign in with them
	scripts/lint-packages .build/deb
	scripts/try-packages .build/deb

clean: ## remove everything that was built
	rm -rf .build .build-shared .build-tsan .build-asan .build-room .build-mutants .build-fuzz
