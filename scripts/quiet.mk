# SPDX-License-Identifier: GPL-2.0
# The kernel's quiet output: one short line a step, everything with V=1.

ifeq ($(V),1)
Q	:=
say	=
else
Q	:= @
say	= @printf '  %-7s %s\n' '$(1)' '$(patsubst ../%,%,$(2))'
MAKEFLAGS += --no-print-directory
endif
