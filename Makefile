# Builds, runs, tests, checks and installs peerlist.
#
#   make            build the command                 make test    run every test
#   make run        build it and start it (ARGS=…)    make check   run all checks required before a merge
#   make install    PREFIX=/usr/local, DESTDIR=       make bench   measure speed, on a LAN too
#   make uninstall  remove what make install installs
#   make dist       build an archive for every Linux  make deb        build a Debian package
#   make release    build all files of a release      make release-notes   print the changes of this version
#   make example    NAME=sidebar, or another          make bench-guard   fail if DiffCore got slower
#   make fuzz       fuzz the parsers                  make bench-lab   compare discovery with avahi-browse and others
#   make soak       test with churn and faults for half an hour
#   make bench-fleet   measure a fleet of 200 observers with 100,000 views at a broker
#   make check-stores   check the packages for Arch, Nix, Homebrew and Copr
#   make pictures   draw the pictures of the README and record docs/list.cast anew
#   make clean      remove build products
#
# Missing packages are installed with apt. `make run` writes only the output of peerlist to
# standard output, so `make run ARGS=--json | jq` works.

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
# Without the slash at its end, because paths are compared.
override PREFIX := $(patsubst %/,%,$(PREFIX))
ARGS ?=

# Links to the archives of the libraries, which are linked into the programs.
archives := $(CURDIR)/.build/archives
# The usual linker, gold, warns about a function in the Swift runtime. No table of symbols for other programs saves memory.
# Libraries are not searched beside the program, where others may have put them, and all calls are bound before the
# program starts. The flags are those of all release builds, because others would compile everything again.
optimized := --configuration release --disable-local-rpath -Xswiftc -use-ld=lld -Xswiftc -L$(archives) \
    -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -z -Xlinker now -Xlinker --no-export-dynamic
# The programs need no library but those of glibc, 2.35 or newer; the Swift runtime is a part of them too.
release := swift build $(optimized) --static-swift-stdlib --product
binary := .build/release/peerlist
# The helper process of the embedded mDNS stack; installed in libexec, or found beside the command.
helper := .build/release/peerlist-mdns
sources := Sources Package.swift
# Made by each build, with the time at which that began. The programs may be older: a build leaves them as they are if
# nothing of theirs has changed.
built := .build/built

.PHONY: build run example test check bench bench-fleet bench-guard bench-lab fuzz soak install uninstall deb dist \
    release release-notes pictures clean ready-to-build ready-to-test ready-to-check ready-to-deb

ready-to-build:
	@Scripts/ensure-swift
	@Scripts/ensure-packages build

ready-to-test: ready-to-build
	@Scripts/ensure-packages test

ready-to-check: ready-to-build
	@Scripts/ensure-packages test browser gtk

# Before the build, which takes minutes.
ready-to-deb: ready-to-build
	@Scripts/ensure-packages deb
	@dpkg-checkbuilddeps packaging/debian/control

build: ready-to-build
	@test -x $(binary) || echo 'peerlist: building; the first time, this takes about four minutes on two cores' >&2
	@Scripts/link-archives $(archives)
	@start=$$(date --iso-8601=ns) && $(release) peerlist >&2 && $(release) peerlist-mdns >&2 && \
	    Scripts/check-programs $(binary) $(helper) && touch --date="$$start" $(built)

run:
	@test -x $(binary) || echo 'peerlist: this builds the command and then starts it; without ARGS, it lists the' \
	    'devices on this network until q is pressed' >&2
	@$(MAKE) build
	@exec $(binary) $(ARGS)

examples := mountain-search wifi-settings insertion-sort recipes sidebar
NAME ?=

example:
	@if [[ -z "$(filter $(examples),$(NAME))" ]]; then \
	    echo 'make example NAME=…, with one of: $(examples)' >&2; exit 2; \
	fi
	@$(MAKE) ready-to-build
	@swift build --product $(NAME) >&2
	@exec .build/debug/$(NAME)

# In a build that is quick to make: module by module, with few of them optimised (Package.swift), and with assertions.
test: ready-to-test
	@PEERLIST_TESTS=1 Scripts/run-tests --configuration release --scratch-path .build/tests -debug-info-format none \
	    -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug -Xswiftc -use-ld=lld

checks := check-format check-borders check-circles test check-release check-documentation check-dependency \
    check-gtk check-package check-dist check-fuzz check-address check-thread

# Each kind of build has its own folder, so that none invalidates another's products. A check that passed for the present
# commit is not run again.
check: ready-to-check
	@Scripts/check-all $(checks)

.PHONY: $(checks) check-stores

check-format:
	@swift format lint --strict --recursive Package.swift $(wildcard Sources Tests Benchmarks Examples)

check-borders:
	@Scripts/check-borders

# Arrows between folders go one way.
check-circles:
	@Scripts/check-circles

# Some compiler bugs appear only in optimised code.
check-release:
	@Scripts/run-tests --configuration release --scratch-path .build/release-tests \
	    -Xswiftc -enable-testing

check-documentation:
	@Scripts/check-documentation

check-dependency:
	@Scripts/check-dependency

# An example that drives another toolkit, in a window on a virtual display.
check-gtk:
	@Scripts/check-gtk

check-package:
	@Scripts/check-package

# The archive and the package on several releases of Debian, on a LAN.
check-dist: dist deb
	@Scripts/check-dist

# All targets are built, and find their planted bugs.
check-fuzz:
	@Scripts/fuzz 2

# Not a part of `make check`, because it installs the package tools of four other systems.
check-stores:
	@Scripts/ensure-packages stores
	@packaging/check-stores

# Disables the sanitizers' signal handlers, because some tests crash on purpose and check the signal.
crash := handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:handle_sigbus=0

check-address:
	@ASAN_OPTIONS=$(crash) LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks:print_suppressions=0 \
	    Scripts/run-tests --sanitize=address --scratch-path .build/address

check-thread:
	@TSAN_OPTIONS=$(crash):suppressions=$(CURDIR)/Scripts/races Scripts/run-tests --sanitize=thread \
	    --scratch-path .build/thread

bench: build ready-to-test
	@swift run $(optimized) DiffBench
	@swift run $(optimized) LineBench
	@Benchmarks/Screen/bench $(binary)
	@Benchmarks/LAN/bench $(binary)

# Compares the time and cost of discovery, cold and warm, with other programs; takes about eight minutes.
bench-lab: build ready-to-test
	@Scripts/ensure-packages bench
	@Benchmarks/LAN/bench-lab $(binary)

# Measures the list of a fleet at a real broker, beside mosquitto_sub | jq; takes about twenty minutes.
bench-fleet: build ready-to-test
	@Scripts/ensure-packages bench
	@Benchmarks/Fleet/bench $(binary)

# Compares ratios to the standard library's times, which depend little on the machine. After an intended
# change, update them: DiffBench --write-ratios Benchmarks/DiffBench/ratios.txt
bench-guard: ready-to-build
	@swift run $(optimized) DiffBench --guard Benchmarks/DiffBench/ratios.txt

# Fuzzes each of twelve targets for ten minutes; `Scripts/fuzz SECONDS` sets another time.
fuzz: ready-to-build
	@Scripts/fuzz

# Runs long tests: churn with faults, crash loops, silence, attacks, all seeds of the laws; SOAK='restarts silence'
# selects some.
SOAK ?=

soak: build ready-to-test
	@Scripts/soak $(binary) $(SOAK)

share := $(DESTDIR)$(PREFIX)/share
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
completions := $(share)/bash-completion/completions/peerlist \
    $(DESTDIR)$(ZSH_COMPLETIONS)/_peerlist \
    $(share)/fish/vendor_completions.d/peerlist.fish

# systemd finds user units in $(PREFIX)/share for /usr/local and ~/.local too.
USER_UNITS ?= $(PREFIX)/share/systemd/user
user_units := peerlist-record.service peerlist-rotate.service peerlist-rotate.timer
# System units, and the files of logrotate, are only read in these places.
system := $(filter /usr /usr/local,$(PREFIX))
system_units := peerlist-record.service peerlist-publish@.service
system_place := $(DESTDIR)$(PREFIX)/lib/systemd/system
rotation := $(DESTDIR)/etc/logrotate.d/peerlist
system_user := $(DESTDIR)$(PREFIX)/lib/sysusers.d/peerlist.conf

installed := $(DESTDIR)$(PREFIX)/bin/peerlist $(DESTDIR)$(PREFIX)/libexec/peerlist/peerlist-mdns \
    $(share)/man/man1/peerlist.1 $(completions) $(share)/peerlist/logrotate-user.conf \
    $(addprefix $(DESTDIR)$(USER_UNITS)/,$(user_units)) $(if $(system),$(rotation) $(system_user) \
    $(addprefix $(system_place)/,$(system_units)))

# Builds first if something has changed since the last build, but not as root in a directory of another user, who
# could not build there afterwards.
install:
	@if [[ ! -x $(binary) || ! -x $(helper) || -n $$(find $(sources) -newer $(built) -print -quit 2>&1) ]]; then \
	    if [[ ! -O . ]]; then \
	        echo "peerlist: $(binary) is not built, or older than the sources; run 'make', then this again" >&2; \
	        exit 1; \
	    fi; \
	    $(MAKE) build; \
	fi
	install -d $(sort $(dir $(installed)))
	install -s -m 755 $(binary) $(DESTDIR)$(PREFIX)/bin/peerlist
	install -s -m 755 $(helper) $(DESTDIR)$(PREFIX)/libexec/peerlist/peerlist-mdns
	@Scripts/normalize-programs $(DESTDIR)$(PREFIX)/bin/peerlist $(DESTDIR)$(PREFIX)/libexec/peerlist/peerlist-mdns
	@# The date of a manual page is that of its last change.
	sed "1s|PEERLIST 1 \"\"|PEERLIST 1 \"$$(git log -1 --format=%cs -- docs/peerlist.1 2>/dev/null)\"|" \
	    docs/peerlist.1 >$(share)/man/man1/peerlist.1
	$(binary) completions bash >$(word 1,$(completions))
	$(binary) completions zsh >$(word 2,$(completions))
	$(binary) completions fish >$(word 3,$(completions))
	install -m 644 packaging/logrotate/user.conf $(share)/peerlist/logrotate-user.conf
	@for unit in $(user_units); do \
	    sed 's|@PREFIX@|$(PREFIX)|' packaging/systemd/user/$$unit.in >$(DESTDIR)$(USER_UNITS)/$$unit || exit; \
	    chmod 644 $(DESTDIR)$(USER_UNITS)/$$unit; \
	done
ifneq ($(system),)
	@for unit in $(system_units); do \
	    sed 's|@PREFIX@|$(PREFIX)|' packaging/systemd/system/$$unit.in >$(system_place)/$$unit || exit; \
	    chmod 644 $(system_place)/$$unit; \
	done
	install -m 644 packaging/logrotate/system.conf $(rotation)
	install -m 644 packaging/sysusers/peerlist.conf $(system_user)
endif
	chmod 644 $(share)/man/man1/peerlist.1 $(completions)
ifneq ($(system),)
ifeq ($(DESTDIR),)
	@# logrotate reports an error while the user of the service is missing.
	@systemd-sysusers $(system_user) && systemctl daemon-reload || \
	    echo 'peerlist: for the service of the system, run as root: systemd-sysusers; systemctl daemon-reload' >&2
endif
endif

uninstall:
	rm -f $(installed)
	@for directory in $(DESTDIR)$(PREFIX)/libexec/peerlist $(share)/peerlist; do \
	    test ! -d $$directory || rmdir --ignore-fail-on-non-empty $$directory; \
	done

deb: ready-to-deb build
	@Scripts/build-deb

# An archive that runs on every Linux with glibc, without being installed.
dist: build
	@Scripts/build-dist

# The screens are those of the tests, and the report is that of a week in a test.
pictures: build ready-to-test
	@Scripts/ensure-packages browser
	@mkdir -p docs/pictures .build/reports
	@Scripts/make-pictures $(binary) docs/pictures
	@PEERLIST_REPORTS=$(CURDIR)/.build/reports swift test --disable-xctest --filter ReportBrowserTests >&2
	@chromium --headless $$(test $$(id -u) != 0 || echo --no-sandbox) --disable-gpu --hide-scrollbars --window-size=1000,620 \
	    --user-data-dir=.build/reports/profile --screenshot=docs/pictures/report.png \
	    file://$(CURDIR)/.build/reports/week-50.html >&2
	@Scripts/record-cast $(binary) docs/list.cast

# All files of a release: the archive, the package, and with URL= the packages for the stores.
release: dist deb
	@Scripts/build-release $(URL) $(HOMEPAGE)

release-notes:
	@Scripts/release-notes

clean:
	rm -rf .build
