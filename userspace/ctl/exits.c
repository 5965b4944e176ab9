// SPDX-License-Identifier: GPL-2.0
/*
 * From the kernel's error numbers to exit codes.
 */
#include <errno.h>

#include "exits.h"

/**
 * exit_for_errno() - the exit code that fits an error number
 * @err: errno, of either sign
 *
 * Return: an exit code, never EXIT_OK.
 */
enum rbdctl_exit exit_for_errno(int err)
{
	switch (err < 0 ? -err : err) {
	case ENOENT:
	case ENOKEY:
		return EXIT_NOT_FOUND;
	case EBUSY:
	case EEXIST:
		return EXIT_BUSY;
	case ENODEV:		/* no RDMA device leads there */
	case EADDRNOTAVAIL:
	case ECONNABORTED:
	case ECONNREFUSED:
	case ECONNRESET:
	case EHOSTUNREACH:
	case ENETUNREACH:
	case ETIMEDOUT:
		return EXIT_UNREACHABLE;
	case EACCES:
	case EKEYEXPIRED:
	case EKEYREJECTED:
	case EKEYREVOKED:
	case EPERM:
	case EPROTO:
	case EPROTONOSUPPORT:
	case EROFS:
		return EXIT_REFUSED;
	default:
		return EXIT_FAILED;
	}
}
