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
UDEVDIR	?= $(PREFIX)/lib/udev/rules.d
MAN5DIR	:= $(MANDIR)/man5
MAN8DIR	:= $(MANDIR)/man8

dirs	:= SBINDIR BINDIR MAN5DIR MAN8DIR UDEVDIR
build	:= ../build
man	:= $(notdir $(basename $(wildcard man/*.scd))) rbdctl-show.8

SBINDIR_files	:= $(build)/userspace/rdmablkd
BINDIR_files	:= $(build)/userspace/rbdctl
MAN5DIR_files	:= $(addprefix $(build)/man/,$(filter %.5,$(man)))
MAN8DIR_files	:= $(addprefix $(build)/man/,$(filter %.8,$(man)))
UDEVDIR_files	:= udev/60-rdmablk.rules
SBINDIR_mode	:= 755
BINDIR_mode	:= 755

define install
@test -z '$($(1)_files)' || echo '  INSTALL $(DESTDIR)$($(1))'
$(Q)$(if $($(1)_files),install -D -m $(or $($(1)_mode),644) \
	-t $(DESTDIR)$($(1)) $($(1)_files))

endef

define uninstall
@test -z '$($(1)_files)' || echo '  REMOVE  $(DESTDIR)$($(1))'
$(Q)rm -f $(addprefix $(DESTDIR)$($(1))/,$(notdir $($(1)_files)))

endef

install:
	$(foreach dir,$(dirs),$(call install,$(dir)))

uninstall:
	$(foreach dir,$(dirs),$(call uninstall,$(dir)))

.PHONY: install uninstall
