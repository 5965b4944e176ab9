/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why something failed, in words, on its way from the place that knows to the
 * place that tells the user: a log line, an answer on the control socket or
 * the tool's standard error.
 */
#ifndef RDMABLK_LIB_REASON_H
#define RDMABLK_LIB_REASON_H

/**
 * struct reason - what went wrong and what to do about it
 * @message: one sentence without a full stop; never empty after a failure
 * @hint: a remedy, or empty
 */
struct reason {
	char message[512];
	char hint[320];
};

int reason_set(struct reason *why, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void reason_hint(struct reason *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* RDMABLK_LIB_REASON_H */
