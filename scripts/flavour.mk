# SPDX-License-Identifier: GPL-2.0
# How user space is built, each way in a directory of its own: SANITIZE=1 with the
# address and undefined-behaviour sanitizers, COVERAGE=1 with gcov's counters.

ifdef SANITIZE
flavour		:= -asan
flavour_flags	:= -fsanitize=address,undefined -fno-sanitize-recover=undefined \
		   -fno-omit-frame-pointer
endif
ifdef COVERAGE
flavour		:= -cov
flavour_flags	:= --coverage -fprofile-update=atomic
CFLAGS		:= -O0 -g
endif
