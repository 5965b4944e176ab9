# SPDX-License-Identifier: GPL-2.0
# What is installed, and where; what was installed is removed by the same list.
#
#   make -C userspace -f install.mk install|uninstall [DESTDIR=DIR] [PREFIX=DIR]
#
# The names of directories that end in DIR can be set one by one, as packagers do.

include ../scripts/quiet.mk

PREFIX	?= /usr/local
SBINDIR	?= $(PREFIX)/sbin
# rbdctl list is for everybody, and not everybody has sbin in the path.
BINDIR	?= $(PREFIX)/bin
MANDIR	?= $(PREFIX)/share/man
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
DOCDIR	?= $(PREFIX)/share/doc/rdmablk
UDEVDIR	?= $(PREFIX)/lib/udev/rules.d
UNITDIR	?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
TMPFILESDIR ?= $(PREFIX)/lib/tmpfiles.d
LUADIR	?= $(PREFIX)/share/rdmablk
MAN4DIR	:= $(MANDIR)/man4
MAN5DIR	:= $(MANDIR)/man5
MAN8DIR	:= $(MANDIR)/man8
EXAMPLESDIR := $(DOCDIR)/examples

dirs	:= SBINDIR BINDIR MAN4DIR MAN5DIR MAN8DIR EXAMPLESDIR UDEVDIR UNITDIR \
	   SYSUSERSDIR TMPFILESDIR BASHCOMPDIR ZSHCOMPDIR LUADIR
build	:= ../build
man	:= $(notdir $(basename $(wildcard man/*.scd))) rbdctl-show.8 rbdctl-top.8
units	:= $(addprefix $(build)/,$(wildcard systemd/*.service))

SBINDIR_files	:= $(build)/userspace/rdmablkd
BINDIR_files	:= $(build)/userspace/rbdctl
MAN4DIR_files	:= $(addprefix $(build)/man/,$(filter %.4,$(man)))
MAN5DIR_files	:= $(addprefix $(build)/man/,$(filter %.5,$(man)))
MAN8DIR_files	:= $(addprefix $(build)/man/,$(filter %.8,$(man)))
EXAMPLESDIR_files := etc/rbdtab etc/rdmablkd.conf etc/rdmablkd-dashboard.json
UDEVDIR_files	:= udev/60-rdmablk.rules
UNITDIR_files	:= $(units)
SYSUSERSDIR_files := systemd/sysusers.d/rdmablk.conf
TMPFILESDIR_files := systemd/tmpfiles.d/rdmablk.conf
BASHCOMPDIR_files := completion/bash/rbdctl
ZSHCOMPDIR_files := completion/zsh/_rbdctl
LUADIR_files	:= wireshark/rdmablk.lua
SBINDIR_mode	:= 755
BINDIR_mode	:= 755

define install
$(call say,INSTALL,$(DESTDIR)$($(1)))
$(Q)install -D -m $(or $($(1)_mode),644) -t $(DESTDIR)$($(1)) $($(1)_files)

endef

define uninstall
$(call say,REMOVE,$(DESTDIR)$($(1)))
$(Q)rm -f $(addprefix $(DESTDIR)$($(1))/,$(notdir $($(1)_files)))

endef

install: $(units)
	$(foreach dir,$(dirs),$(call install,$(dir)))

uninstall: $(units)
	$(foreach dir,$(dirs),$(call uninstall,$(dir)))

# Units name the programs by their paths, which may be others than last time.
$(build)/systemd/%: systemd/% force
	@mkdir -p $(@D)
	$(Q)sed 's,@SBINDIR@,$(SBINDIR),; s,@BINDIR@,$(BINDIR),' $< >$@

units: $(units)

.PHONY: install uninstall units force
