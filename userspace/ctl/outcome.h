/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for what becomes of a device: attach and detach only start something
 * in the kernel.
 */
#ifndef RBDCTL_OUTCOME_H
#define RBDCTL_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "genl.h"

/**
 * struct outcome - what is known of a device
 * @genl: the module's family, joined to its events before the request was sent
 * @index: of the device
 * @id: of the device: its index may be that of another one before and after
 * @asked: when the kernel was last asked for the state, by now_ms()
 * @signals: signalfd that ends the wait, or -1
 * @signal: the signal that did
 * @state: enum rdmablk_dev_state; zero: nothing known yet
 * @added: its disk is: the node can be opened
 * @error: why it failed, positive errno; zero: it did not
 * @reason: the same for people
 */
struct outcome {
	struct genl *genl;
	uint32_t index;
	uint64_t id;
	int64_t asked;
	int signals;
	int signal;
	uint32_t state;
	bool added;
	int error;
	char reason[512];
};

bool outcome_attached(const struct outcome *outcome);
bool outcome_added(const struct outcome *outcome);
bool outcome_useless(const struct outcome *outcome);
bool outcome_gone(const struct outcome *outcome);
int outcome_wait(struct outcome *outcome,
		 bool (*reached)(const struct outcome *outcome), int timeout_ms);

#endif /* RBDCTL_OUTCOME_H */
