// SPDX-License-Identifier: GPL-2.0
/*
 * Signals that would end the program, while it has something to undo first.
 */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "signals.h"

/**
 * signals_open() - from now on signals do not end the program
 *
 * Return: a descriptor that becomes readable when one came, or a negative
 * errno.
 */
int signals_open(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	sigprocmask(SIG_BLOCK, &set, NULL);
	return fd;
}

/**
 * signals_take() - the signal that came
 * @fd: from signals_open(), or -1
 *
 * Return: its number, or 0 when none came.
 */
int signals_take(int fd)
{
	struct signalfd_siginfo info;

	if (fd < 0 || read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}
