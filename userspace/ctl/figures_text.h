/* SPDX-License-Identifier: GPL-2.0 */
/* Figures for people: all of a device, or rows of a table of an interval. */
#ifndef RBDCTL_FIGURES_TEXT_H
#define RBDCTL_FIGURES_TEXT_H

#include <stdio.h>

#include "sample.h"

void figures_totals(const struct sample *sample, FILE *to);
void figures_table(const struct sample *since, double seconds, FILE *to);

#endif /* RBDCTL_FIGURES_TEXT_H */
