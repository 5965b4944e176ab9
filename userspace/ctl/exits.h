/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exit codes: an interface, documented in rbdctl(8). A program that is ended
 * by a signal while it waits exits with 128 and the signal's number.
 */
#ifndef RBDCTL_EXITS_H
#define RBDCTL_EXITS_H

enum rbdctl_exit {
	EXIT_OK			= 0,
	EXIT_FAILED		= 1,	/* none of those below */
	EXIT_USAGE		= 2,	/* the command line makes no sense */
	EXIT_NOT_FOUND		= 3,	/* no such device, export or host */
	EXIT_BUSY		= 4,	/* in use, or there already */
	EXIT_UNREACHABLE	= 5,	/* no way to the target, or no answer */
	EXIT_REFUSED		= 6,	/* the target or the kernel says no */
	EXIT_UNAVAILABLE	= 7,	/* the module or the daemon is missing */
	EXIT_WARNING		= 8,	/* it works, but there is something to warn of */
};

enum rbdctl_exit exit_for_errno(int err);

#endif /* RBDCTL_EXITS_H */
