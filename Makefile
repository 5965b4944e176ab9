# SPDX-License-Identifier: GPL-2.0
# rdmablk: module, daemon, tool. `make help` lists what there is.

include scripts/quiet.mk

# The kernel to build the module for: the running one, or with KERNEL=NAME one
# that scripts/kernel fetches for the guest, or any with KDIR=DIRECTORY.
ifdef KERNEL
  flavour	:= $(KERNEL)
  ifndef KDIR
    KDIR	:= $(shell scripts/kernel kdir $(KERNEL))
  endif
else
  flavour	:= host
  KDIR		?= /lib/modules/$(shell uname -r)/build
endif
mod		:= $(CURDIR)/build/$(flavour)

all: module userspace

# The sources are linked into a directory for each kernel, so that the tree stays
# clean and several kernels can be built for side by side.
$(mod)/.linked: $(shell find kmod -type d)
	@mkdir -p $(mod)
	@find $(mod) -xtype l -delete
	@cp -asf $(CURDIR)/kmod/. $(mod)/
	@touch $@

module: $(mod)/.linked
	@test -n '$(KDIR)' || exit 1
	@test -d '$(KDIR)' || { echo "no kernel headers in '$(KDIR)':" \
		"install linux-headers-$$(uname -r), or name them with KDIR=DIRECTORY," \
		"or build for a guest with KERNEL=6.1" >&2; exit 1; }
	$(call say,MODULE,$(mod)/rdmablk.ko)
	$(Q)$(MAKE) $(if $(Q),-s) -C $(KDIR) M=$(mod) $(if $(C),C=$(C)) modules

userspace:
	$(Q)$(MAKE) -C userspace

# The kernel's own depmod step gives up where there is no System.map, as with
# Debian's headers, and there is no key to sign with.
modules_install: module
	$(Q)$(MAKE) $(if $(Q),-s) -C $(KDIR) M=$(mod) modules_install \
		CONFIG_MODULE_SIG_ALL= cmd_depmod=:
	$(call say,DEPMOD,$(INSTALL_MOD_PATH)/lib/modules)
	$(Q)PATH=$$PATH:/sbin:/usr/sbin; depmod -b '$(INSTALL_MOD_PATH)/' \
		"$$(modinfo -F vermagic $(mod)/rdmablk.ko | cut -d' ' -f1)"

# What it installs, and where: userspace/install.mk.
install: userspace
	$(Q)$(MAKE) -C userspace/man
	$(Q)$(MAKE) -C userspace -f install.mk install

uninstall:
	$(Q)$(MAKE) -C userspace -f install.mk uninstall

# The sources as one archive, named by the version; packages are made from it.
dist:
	$(Q)scripts/packaging/dist

deb:
	$(Q)scripts/setup build package
	$(Q)scripts/packaging/deb

rpm:
	$(Q)scripts/setup build package
	$(Q)scripts/packaging/rpm

# The main job, the tests: both install what they need first.
demo:
	$(Q)scripts/demo $(if $(HOST),--host) $(if $(KERNEL),--kernel $(KERNEL))

check:
	$(Q)scripts/check $(if $(KERNEL),--kernel $(KERNEL)) $(if $(ASAN),--sanitize) \
		$(if $(CASES),'$(CASES)')

check-all:
	$(Q)scripts/check --all $(if $(CASES),'$(CASES)')

# Failures at random; with the same SEED the same ones.
check-soak:
	$(Q)scripts/check $(if $(KERNEL),--kernel $(KERNEL)) \
		--soak '$(or $(SECONDS),600) $(SEED)'

coverage:
	$(Q)scripts/coverage

# Every fuzzer for so many seconds, two at a time.
fuzz:
	$(Q)$(MAKE) -j2 -C tests/fuzz SECONDS=$(or $(SECONDS),60)

# Its kernel is built the first time.
check-debug:
	@echo 'Hours, as every case takes several times as long as in make check, and'
	@echo 'half an hour more when it builds its kernel, the first time.'
	$(Q)scripts/check --kernel debug $(if $(ASAN),--sanitize) $(if $(CASES),'$(CASES)')

bench_options = $(if $(KERNEL),--kernel $(KERNEL)) $(if $(HOSTS),--hosts $(HOSTS)) \
		$(if $(ROWS),--rows '$(ROWS)')

bench:
	$(Q)tests/bench/run $(bench_options)

bench-all:
	$(Q)tests/bench/run --lane all $(bench_options)

lint:
	$(Q)scripts/lint

clean:
	$(call say,CLEAN,build)
	$(Q)rm -rf build

help:
	@echo 'make                    module for the running kernel, daemon and tool'
	@echo 'make module KERNEL=6.1  module for a kernel of the guest: 6.1, 6.12,'
	@echo '                        newest, debug'
	@echo 'make module KDIR=DIR    module for the kernel with its headers in DIR'
	@echo 'make userspace          rdmablkd and rbdctl'
	@echo 'make install            programs and man pages (DESTDIR, PREFIX)'
	@echo 'make uninstall          remove what install installs, with the same settings'
	@echo 'make modules_install    the module (INSTALL_MOD_PATH)'
	@echo 'make demo               the main job in a guest (KERNEL=NAME); HOST=1: here'
	@echo 'make check              the tests (CASES=GLOB, KERNEL=NAME, ASAN=1)'
	@echo 'make check-all          the tests that take longer, and all kernels'
	@echo 'make check-debug        the tests on a kernel that finds bugs (ASAN=1)'
	@echo 'make check-soak         failures at random (SECONDS=600, SEED=N, KERNEL=NAME)'
	@echo 'make coverage           how much of the daemon the unit tests run'
	@echo 'make fuzz               fuzz what reads foreign input (SECONDS=60 each)'
	@echo 'make dist               the sources as build/dist/rdmablk-VERSION.tar.xz'
	@echo 'make deb                Debian packages, in build/deb'
	@echo 'make rpm                rpm packages, in build/rpm'
	@echo 'make bench              speed against other block devices (ROWS=GLOB,...'
	@echo '                        HOSTS=2: two guests, KERNEL=NAME)'
	@echo 'make bench-all          all rows and peers, more rounds: takes hours (likewise)'
	@echo 'make lint               checkpatch, sparse, compilers, analyzers'
	@echo 'make clean              remove build/'
	@echo 'V=1 shows every command.'

.PHONY: all module userspace modules_install install uninstall dist deb rpm \
	demo check check-all check-debug check-soak coverage fuzz bench bench-all \
	lint clean help
