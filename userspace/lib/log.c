// SPDX-License-Identifier: GPL-2.0
/*
 * Messages to standard error. A line is written with one write(), so that
 * lines of several threads and processes do not mix.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#define LINE_SIZE	1024
#define WINDOW_SECONDS	10	/* of struct log_limit */
#define WINDOW_LINES	10

static const char *program_name = "";
static bool under_systemd;

/* Is standard error the stream that $JOURNAL_STREAM names? */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long dev, ino;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &dev, &ino) == 2 &&
	       !fstat(STDERR_FILENO, &st) && st.st_dev == dev &&
	       st.st_ino == ino;
}

/**
 * log_init() - choose the form of the messages
 * @program: name in front of plain messages; must stay valid
 */
void log_init(const char *program)
{
	program_name = program;
	under_systemd = stderr_is_journal();
}

static void write_line(const char *line, size_t len)
{
	ssize_t written;

	while (len) {
		written = write(STDERR_FILENO, line, len);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;	/* nobody is left who could be told */
		line += written;
		len -= (size_t)written;
	}
}

/**
 * log_line() - print one message
 * @priority: LOG_ERR to LOG_INFO
 * @format: printf format, without a newline; %m is the text of errno
 * @args: go with it
 *
 * Context: any thread. errno is kept.
 */
void log_line(int priority, const char *format, va_list args)
{
	char line[LINE_SIZE];
	int saved = errno;
	size_t len, i;

	if (under_systemd)
		len = (size_t)snprintf(line, sizeof(line), "<%d>", priority);
	else
		len = (size_t)snprintf(line, sizeof(line), "%s: %s",
				       program_name,
				       priority <= LOG_ERR ? "error: " :
				       priority == LOG_WARNING ? "warning: " :
				       "");
	errno = saved;	/* for %m */
	vsnprintf(line + len, sizeof(line) - 1 - len, format, args);

	/* One message, one line, whatever a peer put into it. */
	len = strlen(line);
	for (i = 0; i < len; i++)
		if (iscntrl((unsigned char)line[i]))
			line[i] = '?';
	line[len++] = '\n';
	write_line(line, len);
	errno = saved;
}

/**
 * log_at() - print one message
 * @priority: LOG_ERR to LOG_INFO
 * @format: printf format, without a newline; %m is the text of errno
 *
 * Context: any thread. errno is kept.
 */
void log_at(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_line(priority, format, args);
	va_end(args);
}

/**
 * log_allowed() - may one more message be printed?
 * @limit: counts them
 * @priority: of what is said of those that were not, LOG_ERR to LOG_INFO
 *
 * Context: one thread for each @limit.
 * Return: true if so; it counts.
 */
bool log_allowed(struct log_limit *limit, int priority)
{
	unsigned int lines = limit->lines ? limit->lines : WINDOW_LINES;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!limit->printed ||
	    (uint64_t)now.tv_sec >= limit->window_start + WINDOW_SECONDS) {
		limit->window_start = (uint64_t)now.tv_sec;
		limit->printed = 0;
	}
	if (limit->printed >= lines) {
		limit->suppressed++;
		return false;
	}
	if (limit->suppressed)
		log_at(priority, "%u %smessages%s%s were suppressed",
		       limit->suppressed, limit->about ? "" : "similar ",
		       limit->about ? " about " : "",
		       limit->about ? limit->about : "");
	limit->suppressed = 0;
	limit->printed++;
	return true;
}

/**
 * log_limited() - print one message unless there were many
 * @limit: counts the messages of this place
 * @priority: LOG_ERR to LOG_INFO
 * @format: printf format, without a newline
 *
 * Context: one thread for each @limit.
 */
void log_limited(struct log_limit *limit, int priority, const char *format, ...)
{
	va_list args;

	if (!log_allowed(limit, priority))
		return;
	va_start(args, format);
	log_line(priority, format, args);
	va_end(args);
}
