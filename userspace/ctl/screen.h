/* SPDX-License-Identifier: GPL-2.0 */
/* A terminal whose contents are drawn anew again and again. */
#ifndef RBDCTL_SCREEN_H
#define RBDCTL_SCREEN_H

#include <stdbool.h>
#include <termios.h>

/**
 * struct screen - see above
 * @keys: where keys are read from, one by one; -1: they are not
 * @before: what the terminal was like
 */
struct screen {
	int keys;
	struct termios before;
};

void screen_open(struct screen *screen);
char screen_key(struct screen *screen);
void screen_draw(const char *text);
void screen_close(struct screen *screen);

#endif /* RBDCTL_SCREEN_H */
