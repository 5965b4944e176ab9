/* SPDX-License-Identifier: GPL-2.0 */
/* What a recovery does, for people; and for programs, when it gives up. */
#ifndef RBDCTL_RECOVERY_H
#define RBDCTL_RECOVERY_H

#include "device.h"

void recovery_rows(const struct device *device);
void recovery_note(const struct device *device);
struct json_object *recovery_gives_up_json(const struct device *device);

#endif /* RBDCTL_RECOVERY_H */
