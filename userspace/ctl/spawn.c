// SPDX-License-Identifier: GPL-2.0
/*
 * Runs another program. See spawn.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cleanup.h"
#include "spawn.h"

static int start(const char *const *argv, int output, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int err;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	/* It does not change the words, whatever its type says. */
	err = posix_spawn(pid, argv[0], &actions, NULL, (char *const *)argv,
			  environ);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

/* To the end: it must not die of a closed pipe. */
static char *read_all(int fd)
{
	CLEANUP_FILE FILE *file = fdopen(fd, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file) {
		close(fd);
		return NULL;
	}
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		return strdup("");
	}
	return text;
}

/**
 * spawn_read() - run a program to its end
 * @argv: its path and its arguments; NULL is the last
 * @text: set to what it says on standard output and standard error, to be freed;
 *	  NULL on failure
 *
 * Return: its exit status; 128 if a signal ended it; a negative errno when it
 * cannot be run.
 */
int spawn_read(const char *const *argv, char **text)
{
	int pipes[2], status, err;
	pid_t pid;

	*text = NULL;
	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	err = start(argv, pipes[1], &pid);
	close(pipes[1]);
	if (err) {
		close(pipes[0]);
		return err;
	}
	*text = read_all(pipes[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!*text)
		return -ENOMEM;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
