/* SPDX-License-Identifier: GPL-2.0 */
/* The command line. */
#ifndef RDMABLKD_OPTIONS_H
#define RDMABLKD_OPTIONS_H

#include "config.h"
#include "reason.h"

enum options_result {
	OPTIONS_RUN,	/* the configuration is complete */
	OPTIONS_DONE,	/* help or version was printed */
	OPTIONS_BAD,	/* the reason says why */
};

enum options_result options_parse(struct config *config, int argc, char **argv,
				  struct reason *why);

#endif /* RDMABLKD_OPTIONS_H */
