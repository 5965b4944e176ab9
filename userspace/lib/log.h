/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages to standard error: with the journal's priority prefix when systemd
 * listens there, plain with the program's name otherwise.
 */
#ifndef RDMABLK_LIB_LOG_H
#define RDMABLK_LIB_LOG_H

#include <stdint.h>
#include <syslog.h>

/**
 * struct log_limit - keeps a peer from filling the log
 * @window_start: when the present window began, CLOCK_MONOTONIC seconds
 * @printed: lines printed in this window
 * @suppressed: lines swallowed since the last one that was printed
 *
 * Zero-initialised; one for each place that logs.
 */
struct log_limit {
	uint64_t	window_start;
	unsigned int	printed;
	unsigned int	suppressed;
};

void log_init(const char *program);
void log_at(int priority, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void log_limited(struct log_limit *limit, int priority, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define log_error(...)		log_at(LOG_ERR, __VA_ARGS__)
#define log_warning(...)	log_at(LOG_WARNING, __VA_ARGS__)
#define log_notice(...)		log_at(LOG_NOTICE, __VA_ARGS__)
#define log_info(...)		log_at(LOG_INFO, __VA_ARGS__)

#endif /* RDMABLK_LIB_LOG_H */
