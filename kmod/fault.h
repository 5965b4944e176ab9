/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fault points: places where a test has the driver meet a failure that does not
 * happen by itself. On a kernel without fault injection there are none.
 */
#ifndef RDMABLK_FAULT_H
#define RDMABLK_FAULT_H

#include <linux/types.h>

/**
 * enum rdmablk_fault - where to fail
 * @RDMABLK_FAULT_MAP: mapping a request's memory for DMA
 * @RDMABLK_FAULT_POST: posting work requests, of data and of control messages
 * @RDMABLK_FAULT_CONNECT: asking the target for a connection
 * @RDMABLK_FAULT_COMPLETE: a READ or WRITE, although the card has carried it out
 * @RDMABLK_FAULTS: how many there are
 */
enum rdmablk_fault {
	RDMABLK_FAULT_MAP,
	RDMABLK_FAULT_POST,
	RDMABLK_FAULT_CONNECT,
	RDMABLK_FAULT_COMPLETE,
	RDMABLK_FAULTS
};

#ifdef CONFIG_FAULT_INJECTION_DEBUG_FS
void rdmablk_fault_init(void);
void rdmablk_fault_exit(void);
bool rdmablk_fault(enum rdmablk_fault point);
#else
static inline void rdmablk_fault_init(void) { }
static inline void rdmablk_fault_exit(void) { }
static inline bool rdmablk_fault(enum rdmablk_fault point) { return false; }
#endif

#endif /* RDMABLK_FAULT_H */
