# Two commands do everything on a fresh Debian machine with Swift: `make demo` and `make test`.

SWIFT ?= swift
RELEASE = $(SWIFT) build -c release --product
SOURCES = Package.swift Sources Tests
PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help deps demo build test check bench mutants static install clean

help: ## list what there is to make
	@echo "Coffer: an encrypted local store for messaging clients"
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
		awk -F'|' '{ printf "  make %-9s %s\n", $$1, $$2 }'

deps: ## install the system libraries that are missing (apt, with sudo if needed)
	@scripts/deps

demo: build ## show the main job on a store of its own, killed and checked
	.build/release/coffer demo

build: deps ## build .build/release/coffer
	$(RELEASE) coffer

test: deps ## build and run every test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

check: deps ## check format, warnings and imports
	$(SWIFT) format lint --strict --recursive $(SOURCES)
	scripts/check-imports
	@# Every target treats warnings as errors, so that a build is the check.
	$(SWIFT) build --build-tests

bench: deps ## measure against plain C, in one run (some minutes)
	$(RELEASE) coffer
	$(RELEASE) coffer-bench
	.build/release/coffer-bench --static .build/static/release/coffer

mutants: deps ## put known faults into a copy, and have the simulator find each (some minutes)
	scripts/mutants

# Fully static: no shared library at all. Such flags are only here, since a package that had them could
# not be depended upon.
static: ## build .build/static/release/coffer, which needs no shared library
	@. /etc/os-release; [ "$$VERSION_ID" = 13 ] && more="zlib1g-dev libzstd-dev"; \
		scripts/deps libssl-dev $$more
	$(RELEASE) coffer --scratch-path .build/static -Xswiftc -static-executable \
		$$(pkg-config --static --libs-only-l libcrypto | sed 's/-[^ ]*/-Xlinker &/g') \
		-Xlinker -s -Xlinker --gc-sections

install: build ## copy coffer and its completions below PREFIX (/usr/local)
	install -D -m 755 .build/release/coffer $(DESTDIR)$(PREFIX)/bin/coffer
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	.build/release/coffer completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/coffer
	.build/release/coffer completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_coffer
	.build/release/coffer completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/coffer.fish

clean: ## remove everything that was built
	rm -rf .build
