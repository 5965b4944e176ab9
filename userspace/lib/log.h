/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages to standard error: with the journal's priority prefix when systemd
 * listens there, plain with the program's name otherwise.
 */
#ifndef RDMABLK_LIB_LOG_H
#define RDMABLK_LIB_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <syslog.h>

/**
 * struct log_limit - keeps a peer from filling the log
 * @lines: to be printed in a window; zero: ten
 * @about: what they are about; NULL: something that is clear from the others
 * @window_start: when the present window began, CLOCK_MONOTONIC seconds
 * @printed: lines printed in this window
 * @suppressed: lines swallowed since the last one that was printed
 *
 * Zero but for the first two; one for each place, or each peer.
 */
struct log_limit {
	unsigned int	lines;
	const char	*about;
	uint64_t	window_start;
	unsigned int	printed;
	unsigned int	suppressed;
};

void log_init(const char *program);
void log_at(int priority, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void log_line(int priority, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
bool log_allowed(struct log_limit *limit, int priority);
void log_limited(struct log_limit *limit, int priority, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define log_error(...)		log_at(LOG_ERR, __VA_ARGS__)
#define log_warning(...)	log_at(LOG_WARNING, __VA_ARGS__)
#define log_notice(...)		log_at(LOG_NOTICE, __VA_ARGS__)
#define log_info(...)		log_at(LOG_INFO, __VA_ARGS__)

#endif /* RDMABLK_LIB_LOG_H */
