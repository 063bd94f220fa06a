# Builds, runs, tests, checks and installs peerlist.
#
#   make            build the command                 make test    run every test
#   make run        build it and start it (ARGS=…)    make check   all that must hold before a merge
#   make install    PREFIX=/usr/local, DESTDIR=       make bench   measure it, on a LAN too
#   make example    NAME=sidebar, or another          make bench-guard   fail if it got slower
#   make fuzz       read what nobody wrote    make bench-lab   discovery beside avahi-browse and others
#   make soak       churn and faults, for half an hour      make clean   remove what was built
#
# What is missing is installed with apt. Only `make run` writes to standard
# output, and only what peerlist itself writes: `make run ARGS=--json | jq` works.

SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
ARGS ?=

# The Swift runtime is linked in, so the binary runs where no toolchain is.
release := swift build --configuration release --static-swift-stdlib --product
binary := .build/release/peerlist
# The stack for lack of a daemon: in a process of its own, beside the command or in libexec.
helper := .build/release/peerlist-mdns

.PHONY: build run example test check bench bench-guard bench-lab fuzz soak install clean ready-to-build \
    ready-to-test

ready-to-build:
	@Scripts/ensure-swift
	@Scripts/ensure-packages build

ready-to-test: ready-to-build
	@Scripts/ensure-packages test

build: ready-to-build
	@$(release) peerlist >&2
	@$(release) peerlist-mdns >&2

run: build
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

test: ready-to-test
	@Scripts/run-tests

# Each kind of build has a folder of its own, so that none undoes another's work.
check: ready-to-test check-format check-borders test check-release check-documentation \
    check-address check-thread
	@echo "make check: all is well"

.PHONY: check-format check-borders check-release check-documentation check-address check-thread

check-format:
	@swift format lint --strict --recursive Package.swift $(wildcard Sources Tests Benchmarks Examples)

check-borders:
	@Scripts/check-borders

# Some compiler faults show in optimised code alone.
check-release:
	@Scripts/run-tests --configuration release --scratch-path .build/release-tests \
	    -Xswiftc -enable-testing

check-documentation:
	@Scripts/check-documentation

# Tests that crash on purpose want the crash itself, not a sanitizer's account of it.
crash := handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:handle_sigbus=0

check-address:
	@ASAN_OPTIONS=$(crash) LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leaks:print_suppressions=0 \
	    Scripts/run-tests --sanitize=address --scratch-path .build/address

check-thread:
	@TSAN_OPTIONS=$(crash) Scripts/run-tests --sanitize=thread --scratch-path .build/thread

bench: build ready-to-test
	@swift run --configuration release DiffBench
	@swift run --configuration release LineBench
	@Benchmarks/Screen/bench $(binary)
	@Benchmarks/LAN/bench $(binary)

# Some eight minutes: how soon all are found, cold and warm, and what it costs, beside other programs.
bench-lab: build ready-to-test
	@Scripts/ensure-packages bench
	@Benchmarks/LAN/bench-lab $(binary)

# Ratios to what the toolchain's own takes, not times: they hold on any machine. After a change that
# is meant: DiffBench --write-ratios Benchmarks/DiffBench/ratios.txt
bench-guard: ready-to-build
	@swift run --configuration release DiffBench --guard Benchmarks/DiffBench/ratios.txt

# Ten minutes for each of six targets; fewer with `Scripts/fuzz SECONDS`.
fuzz: ready-to-build
	@Scripts/fuzz

# What takes minutes: churn with faults, crash loops, silence; some of it with SOAK='restarts silence'.
SOAK ?=

soak: build ready-to-test
	@Scripts/soak $(binary) $(SOAK)

share := $(DESTDIR)$(PREFIX)/share
completions := $(share)/bash-completion/completions/peerlist \
    $(share)/zsh/site-functions/_peerlist \
    $(share)/fish/vendor_completions.d/peerlist.fish

install:
	@test -x $(binary) -a -x $(helper) || $(MAKE) build
	install -D -s -m 755 $(binary) $(DESTDIR)$(PREFIX)/bin/peerlist
	install -D -s -m 755 $(helper) $(DESTDIR)$(PREFIX)/libexec/peerlist/peerlist-mdns
	install -D -m 644 docs/peerlist.1 $(DESTDIR)$(PREFIX)/share/man/man1/peerlist.1
	install -d $(dir $(completions))
	$(binary) completions bash >$(word 1,$(completions))
	$(binary) completions zsh >$(word 2,$(completions))
	$(binary) completions fish >$(word 3,$(completions))
	chmod 644 $(completions)

clean:
	rm -rf .build
