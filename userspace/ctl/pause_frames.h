/* SPDX-License-Identifier: GPL-2.0 */
/* Pause frames of an interface, as its driver counts them. */
#ifndef RBDCTL_PAUSE_FRAMES_H
#define RBDCTL_PAUSE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pause_frames - what is known of them
 * @known: its driver counts them
 * @sent: that it has sent, of all priorities
 * @received: likewise
 */
struct pause_frames {
	bool known;
	uint64_t sent;
	uint64_t received;
};

void pause_frames(const char *netdev, struct pause_frames *out);
void pause_frames_count(const char *name, uint64_t value,
			struct pause_frames *out);

#endif /* RBDCTL_PAUSE_FRAMES_H */
