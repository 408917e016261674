# Sanstone: what can be done here. Plain `make` prints it. All output goes under output/, but for
# what npm installs, in webui/node_modules, and what all checkouts have in common: images' layers of
# Debian's packages and the lab's kernels, some GB, in ~/.cache/sanstone (or where XDG_CACHE_HOME
# is), which may be deleted at any time while nothing is built.

K ?=
AREA ?=
PART ?=
HOSTS ?= 0
HTTPS_PORT ?= 0
SSH_PORT ?= 0
ISCSI_PORT ?= 0
NVME_PORT ?= 0
PASSWORD ?=
BUILDROOT ?= $(BUILD)/buildroot-$(BUILDROOT_VERSION)
IMAGE ?=
UPDATE ?=
OPTIONS ?=
FROM ?=
KERNEL ?=
SEED ?=
REQUESTS ?= 0
RUNS ?= 0
LOG ?=
ONLY ?=
STRANGERS ?=
JOBS ?= 1
BLKTESTS ?=
TRIDENT ?=
HARVEST ?=
CINDER ?=
SIGNING_KEY ?=
SIGNING_CERTIFICATE ?=
# Or make would hand its variables to every program that it starts, and sqlite, for one, has an
# OPTIONS of its own.
unexport K AREA HOSTS HTTPS_PORT SSH_PORT ISCSI_PORT NVME_PORT PASSWORD BUILDROOT IMAGE UPDATE OPTIONS
unexport FROM KERNEL ONLY PART SEED REQUESTS RUNS LOG JOBS STRANGERS BLKTESTS TRIDENT HARVEST CINDER
# Where it is set, every process of the tests would compile all modules that it loads anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON := /usr/bin/python3
LAB := PYTHONPATH=tests $(PYTHON) -m lab
DEPENDENCIES := output/dependencies
VENV := output/venv
CLIENTS := output/clients
RUN_IN_VENV := PYTHONPATH=api:tests $(VENV)/bin/python -m
# What starts machines in namespaces ends with make, also when a signal ends make.
RUN_TIED := exec setpriv --pdeathsig KILL env $(RUN_IN_VENV)
# What fuzzes shares the array in one process, and examples, with other tests.
FUZZ := PYTHONHASHSEED=0 PYTHONPATH=api:board:tests:tests/unit:tests/contract $(VENV)/bin/python -m fuzz
# With the record of tests that `make test` reads.
PYTEST := pytest -p run.recorder
RUFF := $(VENV)/bin/ruff
TYPED := -p sanstone -p lab -p run -p bench -p conformance -p fuzz -p fakes -p image
# Not the clients', which are installed elsewhere.
TYPED_FILES := $(filter-out %/__init__.py,$(wildcard tests/contract/*.py tests/webui/*.py webui/generate/*.py \
    tests/vm/*.py tests/vm/*/*.py tests/unit/*.py tests/unit/*/*.py tests/unit/*/*/*.py tests/unit/*/*/*/*.py))
# Names of tests come again, and nothing imports them: they go by their paths. The others go by what
# they are imported as.
TYPED_TESTS := $(foreach file,$(TYPED_FILES),$(if $(filter test_%.py conftest.py,$(notdir $(file))),$(file)))
TYPED += $(addprefix -m ,$(subst /,.,$(TYPED_TESTS:tests/%.py=%)) \
    $(basename $(notdir $(filter-out $(TYPED_TESTS),$(TYPED_FILES)))))
EMPTY :=
TYPED_PATH := $(subst $(EMPTY) ,:,$(strip api board tests tests/unit tests/contract ansible/generate \
    $(patsubst %/,%,$(sort $(dir $(TYPED_FILES))))))
# What is written by hand. It is checked from within, where the folder `ansible`
# does not stand in the way of the package.
TYPED_COLLECTION := $(wildcard ansible/generate/*.py ansible/plugins/module_utils/*.py ansible/plugins/inventory/*.py)
FORMATTED := api board tests webui/generate ansible
# Seconds, in which a test that hangs ends. None comes near it on a busy machine.
HANGS := --timeout 1800
# Tests in which no real time decides.
TIMELESS := $(addprefix tests/,clients contract fakes fuzz unit webui)
WEB_PARTS := webui/node_modules/.package-lock.json
# The Ansible collection, and its archive, which the array serves.
COLLECTION := output/collection
ARCHIVE := $(COLLECTION)/sanstone-array.tar.gz
COLLECTION_SOURCES := $(shell find ansible -type f -not -path '*/.*' -not -path '*/__pycache__/*') \
    $(shell find api/sanstone -name '*.py')
# What the web interface is built to, of its own sources and of what the API, the shell and the
# Ansible collection declare.
WEB := webui/dist/index.html
WEB_SOURCES := $(shell find webui -maxdepth 1 -type f) $(shell find webui/build webui/generate webui/manual webui/public \
    webui/src -type f -not -path 'webui/src/generated/*') $(shell find api/sanstone ansible/generate -name '*.py')
BUILD := output/buildroot$(KERNEL:%=-%)
CONFIGS := configs/sanstone_x86_64_defconfig $(KERNEL:%=configs/%.config)
BUILD_CONFIGS := $(CONFIGS) $(OPTIONS)
RECIPES := Config.in $(wildcard configs/* package/*/* board/common/patches/*/*/*)
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"$$/\1/p' api/sanstone/__init__.py)
# Without MAKEFLAGS, or what was given here would set variables in the Makefile of each package.
IN_BUILDROOT = MAKEFLAGS= make --directory=$(BUILDROOT) O=$(abspath $(BUILD)) BR2_EXTERNAL=$(CURDIR)
UV := uv==0.13.9
# $(call INSTALL,virtualenv,options of `pip install`): uv takes a tenth of the time of pip, and knows
# nothing of its settings, as of a mirror: where it cannot install, pip does.
INSTALL = $(1)/bin/python -m pip install --quiet $(UV) && \
    { $(1)/bin/uv pip install --quiet --native-tls --python $(1)/bin/python $(2) || \
    $(1)/bin/python -m pip install --quiet --no-compile $(2); }
BUILDROOT_VERSION := 2026.05.1
# Of the tag, which is signed; a tag can be moved, a commit cannot.
BUILDROOT_COMMIT := cb857ba4c87a93e5265a9e4a3f32071abf39e14a
BUILDROOT_REPOSITORY ?= https://gitlab.com/buildroot.org/buildroot.git
PINNED_BUILDROOT := --pin $(BUILDROOT_VERSION) $(BUILDROOT_COMMIT)
CHECK_IMAGE = PYTHONPATH=board $(PYTHON) -m image $(PINNED_BUILDROOT) --output $(BUILD)
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# Half of a first run is Debian's packages, and half the web interface: neither needs the other.
IN_PARALLEL = MAKEFLAGS= make --jobs=2 --no-print-directory layers $(WEB)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run layers stop demo test unit contract collection clients web web-lint web-units browser fuzz lint machines \
    e2e conformance orchestrators bench image check-machine check-image record-image check-updates \
    check-packages gui screenshots hook

## run        boot an array in QEMU and wait until it serves; minutes the first time, then half a one
##              HOSTS=1 boots an initiator host beside it
##              HTTPS_PORT= SSH_PORT= ISCSI_PORT= NVME_PORT=   ports of 127.0.0.1
##              PASSWORD=    of the account admin (else a random one), at the array's first boot
##              KERNEL=product   the product's own kernel in place of Debian's; it is built first
run: export SANSTONE_KERNEL = $(KERNEL)
run: export SANSTONE_PASSWORD = $(value PASSWORD)
run: | $(DEPENDENCIES)
	@$(IN_PARALLEL) HOSTS=$(HOSTS)
	@$(LAB) run --hosts $(HOSTS) --https-port $(HTTPS_PORT) \
	    --ssh-port $(SSH_PORT) --iscsi-port $(ISCSI_PORT) --nvme-port $(NVME_PORT)

layers: | $(DEPENDENCIES)
	@$(LAB) layers --roles array $(if $(filter-out 0,$(HOSTS)),host)

## stop       shut down what `make run` started; disks are kept
stop: $(PYTHON)
	@$(LAB) stop

## demo       the main job end to end, step by step: build, map, write, cut the power, verify
demo: $(VENV)/stamp
	@$(IN_PARALLEL) HOSTS=1
	@$(RUN_IN_VENV) lab.demo

## test       all checks and tests: lint, check-image, unit, contract, clients, web, e2e; see tests/README.md
test: | $(PYTHON)
	@PYTHONPATH=$(CURDIR)/tests exec $(PYTHON) -m run

## unit       tests that need no machine
# In the order of their files: xdist would put those with few tests last, and some of these take
# longest.
unit: $(VENV)/stamp
	@$(LAB) dependencies --servers
	@$(RUN_IN_VENV) $(PYTEST) tests/unit -p no:schemathesis --numprocesses auto --dist loadfile \
	    --no-loadscope-reorder $(HANGS) --quiet -k '$(K)'

## contract   the API against its own description, in one process, and some sequences of `make fuzz`
contract: $(VENV)/stamp
	@$(RUN_IN_VENV) $(PYTEST) tests/contract tests/fuzz --numprocesses auto $(HANGS) --quiet -k '$(K)'

## web        the web interface: formatting, types, units, and in a browser against an array in one process
web: web-lint web-units browser

web-lint: $(WEB)
	@cd webui && npm run --silent lint

web-units: $(WEB)
	@cd webui && npm run --silent test

browser: $(WEB)
	@$(LAB) dependencies --browser
	@node tests/webui/run.mjs tests/webui/*.test.mjs

## gui        the web interface under development against an array in one process, until Ctrl C
gui: $(WEB)
	@node tests/webui/develop.mjs

## screenshots   every page of the web interface, in output/screenshots
##              ONLY=manual  those that the manual shows, in webui/manual/pictures
screenshots: $(WEB)
	@$(LAB) dependencies --browser
	@node tests/webui/screenshots.mjs $(if $(ONLY),$(ONLY),output/screenshots)

## hook       a git hook that refuses to commit what ruff or prettier would write otherwise
hook: $(VENV)/stamp $(WEB_PARTS)
	@PYTHONPATH=tests $(PYTHON) -m run.staged install

## fuzz       sequences of requests drawn of what the API declares, until something fails
##              SEED=        of the first sequence, else one by chance; the next ones count on
##              RUNS= REQUESTS=   sequences, or requests, to end after; for ever without   JOBS=  processes
##              LOG=         a file with a line for each sequence; what has passed by it is not run again
fuzz: $(VENV)/stamp
	@$(FUZZ) $(if $(SEED),--seed $(SEED)) --runs $(RUNS) --requests $(REQUESTS) --jobs $(JOBS) $(if $(LOG),--log $(LOG))

## collection   our Ansible collection, in output/collection, and its archive, which the array serves
collection: $(ARCHIVE)

## clients    NetApp's Python client, its Ansible collection and ours, and Prometheus, against an array in one process
clients: $(VENV)/stamp $(CLIENTS)/stamp $(ARCHIVE)
	@$(LAB) dependencies --clients
	@PYTHONPATH=tests SANSTONE_PYTHON=$(abspath $(VENV))/bin/python $(CLIENTS)/bin/python -m $(PYTEST) \
	    tests/clients --numprocesses auto --dist loadfile $(HANGS) --quiet -k '$(K)'

## lint       formatting, style, types, and the direction of imports
lint: $(VENV)/stamp $(ARCHIVE)
	@$(RUFF) format --check --config api/pyproject.toml $(FORMATTED)
	@$(RUFF) check --config api/pyproject.toml $(FORMATTED)
	@$(RUFF) check --config api/pyproject.toml --no-respect-gitignore $(COLLECTION)/ansible_collections
	@$(RUFF) check --config api/pyproject.toml --select TID251 $(TIMELESS)
	@MYPYPATH=$(TYPED_PATH) $(VENV)/bin/mypy --config-file api/pyproject.toml --explicit-package-bases $(TYPED)
	@cd ansible && MYPYPATH=../api:generate:plugins/module_utils:plugins/inventory ../$(VENV)/bin/mypy \
	    --config-file ../api/pyproject.toml --explicit-package-bases $(TYPED_COLLECTION:ansible/%=%)
	@cd api && PYTHONPATH=. ../$(VENV)/bin/lint-imports --config pyproject.toml

## machines   build the stale ones of the images that machines in QEMU boot from
# What tests need is installed here. Nothing else installs packages while tests run: apt has a lock.
machines: $(VENV)/stamp $(WEB)
	@$(LAB) dependencies --browser --clients --servers
	@$(LAB) build

## e2e        tests on machines, in QEMU and without KVM in User-mode Linux: all, or those that K=pattern selects
##              AREA=boot only one folder of tests/vm   SIT=1 keeps the machines after a failure
##              IMAGE=       an ISO of `make image`: tests the system that it installs, and its installation
##              UPDATE=      a bundle of a newer release with the same key, to update it with
##              STRANGERS=   how many connections strangers make by each seed, for AREA=strangers: 300
e2e: export SANSTONE_IMAGE = $(if $(IMAGE),$(abspath $(IMAGE)))
e2e: export SANSTONE_UPDATE = $(if $(UPDATE),$(abspath $(UPDATE)))
e2e: export SANSTONE_STRANGERS = $(STRANGERS)
e2e: $(VENV)/stamp $(CLIENTS)/stamp $(WEB)
	@$(RUN_TIED) lab.suites $(if $(PART),--part $(PART)) -p run.recorder tests/vm/$(AREA) -k '$(K)' --maxfail 3 --durations 15 \
	    $(if $(SIT),--sit)

## conformance   what blktests finds in the kernel's NVMe targets, by each transport, is accounted for
##              BLKTESTS=    a tree of it, github.com/linux-blktests/blktests
##              K=           only these transports: loop, tcp, roce, iwarp, fc
conformance: $(VENV)/stamp $(WEB)
	@test -n '$(BLKTESTS)' || { echo 'BLKTESTS= has to name a tree of blktests; see `make help`' >&2; exit 2; }
	@$(RUN_TIED) conformance '$(BLKTESTS)' $(K)

## orchestrators   programs of others, as they are, against an array in one process: those that are named
##              TRIDENT=     the controller's program, built of github.com/NetApp/trident
##              HARVEST=     a tree of github.com/NetApp/harvest with bin/poller built
##              CINDER=      the Python of a virtualenv in which Cinder is installed
orchestrators: $(VENV)/stamp $(CLIENTS)/stamp
	@test -n '$(TRIDENT)$(HARVEST)$(CINDER)' || { echo 'no program is named; see `make help`' >&2; exit 2; }
	@$(CLIENTS)/bin/python -m pip install --quiet --requirement tests/orchestrators/requirements.txt
	@SANSTONE_PYTHON=$(abspath $(VENV))/bin/python TRIDENT='$(TRIDENT)' \
	    HARVEST='$(HARVEST)' CINDER='$(CINDER)' $(CLIENTS)/bin/python -m pytest tests/orchestrators \
	    --override-ini 'pythonpath=clients orchestrators' --quiet

## bench      speed, each row beside its peer, in output/bench
bench: $(VENV)/stamp $(WEB)
	@$(RUN_TIED) bench

## image      the product, by Buildroot, hours the first time: output/images/sanstone-<version>.iso,
##              .raucb for updates, .cdx.json, the list of its parts
##              BUILDROOT=   a tree of Buildroot, else the pinned commit is fetched
##              KERNEL=next  the next long-term line of Linux; Buildroot works in output/buildroot-next
##              OPTIONS=     a file of options of Buildroot's that come after ours, as of a mirror
##              SIGNING_KEY= SIGNING_CERTIFICATE=   what update bundles are signed with, PEM files,
##              the certificate self-signed; else a development key is generated, which other builds
##              do not trust
image check-machine: export SIGNING_KEY := $(abspath $(SIGNING_KEY))
image check-machine: export SIGNING_CERTIFICATE := $(abspath $(SIGNING_CERTIFICATE))
# Files in the image carry the time of its sources, so that the same sources give the same image.
image: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
image: check-machine $(BUILDROOT)/Makefile $(WEB)
	@mkdir -p output/images
	@cat $(BUILD_CONFIGS) > $(BUILD)/defconfig
	@rm -f $(BUILD)/made-of.json
	@$(CHECK_IMAGE) --unrecorded --buildroot $(BUILDROOT) $(BUILD_CONFIGS)
	@$(IN_BUILDROOT) BR2_DEFCONFIG=$(abspath $(BUILD)/defconfig) defconfig
	@$(IN_BUILDROOT)
	@$(IN_BUILDROOT) --silent show-info > $(BUILD)/info.json
	@PYTHONPATH=board $(PYTHON) -m image.inputs > $(BUILD)/made-of.json
	@$(CHECK_IMAGE) --unrecorded $(BUILD_CONFIGS)
	@$(BUILDROOT)/utils/generate-cyclonedx --in-file $(BUILD)/info.json \
	    --project-name sanstone-image --project-version $(VERSION) \
	    --out-file $(BUILD)/images/sanstone-$(VERSION).cdx.json
	@PYTHONPATH=board $(PYTHON) -m image.sbom $(BUILD)/images/sanstone-$(VERSION).cdx.json
	@ln -f $(addprefix $(BUILD)/images/sanstone-$(VERSION),.iso .raucb .cdx.json) output/images/
	@ls -l output/images/

# Missing tools of the machine, reported all at once and before anything is built.
check-machine: | $(PYTHON)
	@mkdir -p $(BUILD)
	@PYTHONPATH=board $(PYTHON) -m image.machine $(BUILD)

## check-image   the image's configuration can be obtained, and the build matches it
##              BUILDROOT=   tried on this tree, or on the one that `make image` fetched; without any, what
##              was tried is recorded in board/image/recorded
check-image: | $(PYTHON)
	@$(CHECK_IMAGE) $(if $(wildcard $(BUILDROOT)/Makefile),--buildroot $(BUILDROOT)) $(BUILD_CONFIGS)

## record-image   try it on Buildroot, and record that for machines that have none
##              BUILDROOT= OPTIONS=   as for `make image`
record-image: $(BUILDROOT)/Makefile | $(PYTHON)
	@PYTHONPATH=board $(PYTHON) -m image.recording $(PINNED_BUILDROOT) --output $(BUILD) \
	    --buildroot $(BUILDROOT) $(if $(OPTIONS),--options $(OPTIONS)) $(CONFIGS)

## check-updates   parts that are older than upstream's newest, and CVEs that apply to the built image
##              FROM=        a folder of answers in place of the network; see board/image/upstream.py
check-updates: $(VENV)/stamp
	@PYTHONPATH=board $(PYTHON) -m image.updates $(PINNED_BUILDROOT) \
	    --repository $(BUILDROOT_REPOSITORY) --python $(VENV)/bin/python $(if $(FROM),--from $(FROM)) \
	    $(if $(wildcard $(BUILDROOT)/Makefile),--buildroot $(BUILDROOT)) \
	    --sbom output/images/sanstone-$(VERSION).cdx.json $(lastword $(CONFIGS))

## check-packages   our packages are written as Buildroot wants its own to be; takes flake8 and magic
check-packages: $(BUILDROOT)/Makefile | $(PYTHON)
	@$(PYTHON) $(BUILDROOT)/utils/check-package --br2-external --quiet $(RECIPES)

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

# A fresh Debian machine may have make and no Python.
$(PYTHON):
	$(SUDO) apt-get update
	$(SUDO) apt-get install --yes --no-install-recommends python3

$(DEPENDENCIES): tests/lab/dependencies.py | $(PYTHON)
	@$(LAB) dependencies
	@mkdir -p output
	@touch $@

$(VENV)/stamp: api/requirements.txt tests/requirements.txt | $(DEPENDENCIES)
	@echo 'installing what tests need in $(VENV) ...'
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(call INSTALL,$(VENV),--requirement api/requirements.txt --requirement tests/requirements.txt)
	@touch $@

$(CLIENTS)/stamp: tests/clients/requirements.txt | $(DEPENDENCIES)
	@echo 'installing Ansible and the clients of NetApp in $(CLIENTS), 640 MB ...'
	@test -x $(CLIENTS)/bin/python || $(PYTHON) -m venv $(CLIENTS)
	@$(call INSTALL,$(CLIENTS),--requirement tests/clients/requirements.txt)
	@$(CLIENTS)/bin/python -m compileall -q -x ansible_collections $(CLIENTS)/lib
	@touch $@

$(ARCHIVE): $(COLLECTION_SOURCES) | $(VENV)/stamp
	@echo 'making the Ansible collection in $(COLLECTION) ...'
	@$(VENV)/bin/python ansible/generate $(COLLECTION)

$(WEB_PARTS): webui/package-lock.json | $(DEPENDENCIES)
	@cd webui && npm ci --ignore-scripts --no-audit --no-fund

# The array serves the collection beside it: who needs the one needs the other.
$(WEB): $(WEB_PARTS) $(WEB_SOURCES) | $(VENV)/stamp $(ARCHIVE)
	@echo 'building the web interface in webui/dist ...'
	@cd webui && SANSTONE_PYTHON=$(abspath $(VENV))/bin/python npm run --silent generate > /dev/null
	@cd webui && npm run --silent build -- --logLevel warn
	@touch $@

# A part of a clone must not be taken for one: the folder gets its name at the end.
$(BUILD)/buildroot-$(BUILDROOT_VERSION)/Makefile: FETCHED = $(@D).part
$(BUILD)/buildroot-$(BUILDROOT_VERSION)/Makefile:
	@rm -rf $(FETCHED) $(@D)
	@git init --quiet $(FETCHED)
	git -C $(FETCHED) fetch --quiet --depth 1 $(BUILDROOT_REPOSITORY) tag $(BUILDROOT_VERSION) --no-tags
	@commit=$$(git -C $(FETCHED) rev-parse 'FETCH_HEAD^{commit}') && \
	    test $$commit = $(BUILDROOT_COMMIT) || { echo "Buildroot's tag $(BUILDROOT_VERSION) is" \
	    "the commit $$commit, and not $(BUILDROOT_COMMIT), which is pinned" >&2; exit 1; }
	@git -C $(FETCHED) checkout --quiet --detach $(BUILDROOT_COMMIT)
	@mv $(FETCHED) $(@D)
