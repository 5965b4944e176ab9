/* SPDX-License-Identifier: GPL-2.0 */
/* How fast a block device can be read, measured for a moment. */
#ifndef RBDCTL_READ_SPEED_H
#define RBDCTL_READ_SPEED_H

/**
 * struct read_speed - what was measured, one read at a time
 * @reads: how many of 4 KiB
 * @median_us: of those, microseconds
 * @bytes_per_s: of those of 1 MiB
 */
struct read_speed {
	unsigned int reads;
	double median_us;
	double bytes_per_s;
};

int read_speed(const char *path, struct read_speed *out);

#endif /* RBDCTL_READ_SPEED_H */
