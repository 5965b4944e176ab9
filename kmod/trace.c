// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints: where they are defined. See trace.h.
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
