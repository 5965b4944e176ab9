/* SPDX-License-Identifier: GPL-2.0 */
/* The argument DEVICE of a command. */
#ifndef RBDCTL_DEVICE_WORD_H
#define RBDCTL_DEVICE_WORD_H

#include <stdint.h>

#include "device.h"
#include "exits.h"

/* For the help of a command that takes one. */
#define DEVICE_WORD_HELP \
	"DEVICE is rdmablkN, N, /dev/rdmablkN or a link: /dev/rdmablk/by-name/EXPORT"

const char *device_name(uint32_t index, char buf[static DEVICE_NAME_MAX]);
int device_index(const char *text, uint32_t *index);
enum rbdctl_exit device_bad_name(const char *text);
enum rbdctl_exit device_missing(uint32_t index);
enum rbdctl_exit device_named(const char *text, struct genl **genl,
			      uint32_t *index);
enum rbdctl_exit device_look_up(struct genl *genl, uint32_t index,
				struct device *device);

#endif /* RBDCTL_DEVICE_WORD_H */
