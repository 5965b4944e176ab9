/* SPDX-License-Identifier: GPL-2.0 */
/* How far a long operation is: one line that changes, on a terminal. */
#ifndef RBDCTL_PROGRESS_H
#define RBDCTL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct progress - what was shown
 * @phase: what is being done
 * @started: when the phase began, by now_ms()
 * @shown: when something was shown last
 * @open: a line on the terminal waits for its end
 */
struct progress {
	char phase[32];
	int64_t started;
	int64_t shown;
	bool open;
};

void progress_show(struct progress *progress, const char *phase,
		   uint64_t done, uint64_t total, uint64_t rate);
void progress_end(struct progress *progress);

#endif /* RBDCTL_PROGRESS_H */
