// SPDX-License-Identifier: GPL-2.0
/*
 * A terminal whose contents are drawn anew. See screen.h. The sequences are those
 * that every terminal of the last forty years knows.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "screen.h"

#define HOME		"\033[H"
#define CLEAR_LINE	"\033[K"
#define CLEAR_BELOW	"\033[J"
#define HIDE_CURSOR	"\033[?25l"
#define SHOW_CURSOR	"\033[?25h"

/* Only there to end a wait. */
static void on_resize(int number)
{
	(void)number;
}

/**
 * screen_open() - take the terminal on standard output
 * @screen: set
 */
void screen_open(struct screen *screen)
{
	const struct sigaction action = { .sa_handler = on_resize };
	struct termios raw;

	sigaction(SIGWINCH, &action, NULL);
	screen->keys = -1;
	if (!tcgetattr(STDIN_FILENO, &screen->before)) {
		raw = screen->before;
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		if (!tcsetattr(STDIN_FILENO, TCSANOW, &raw))
			screen->keys = STDIN_FILENO;
	}
	fputs(HIDE_CURSOR HOME CLEAR_BELOW, stdout);
}

/**
 * screen_close() - give it back, with the last picture on it
 * @screen: opened
 */
void screen_close(struct screen *screen)
{
	if (screen->keys >= 0)
		tcsetattr(screen->keys, TCSANOW, &screen->before);
	fputs(SHOW_CURSOR, stdout);
	fflush(stdout);
}

/**
 * screen_key() - the key that was pressed
 * @screen: opened; there is something to read
 *
 * Return: the character; 0 when there will be no more of them.
 */
char screen_key(struct screen *screen)
{
	char key;

	if (read(screen->keys, &key, 1) == 1)
		return key;
	tcsetattr(screen->keys, TCSANOW, &screen->before);
	screen->keys = -1;
	return '\0';
}

/**
 * screen_draw() - show a text instead of what is shown
 * @text: lines, each with its end; what does not fit is not shown
 */
void screen_draw(const char *text)
{
	struct winsize size = { 0 };
	unsigned int row;

	/* Some terminals do not know. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	fputs(HOME, stdout);
	/* The cursor stays in the last row. */
	for (row = 1; *text && row < size.ws_row; row++) {
		size_t len = strcspn(text, "\n");

		printf("%.*s" CLEAR_LINE "\n",
		       len < size.ws_col ? (int)len : size.ws_col, text);
		text += len + !!text[len];
	}
	fputs(CLEAR_BELOW, stdout);
	fflush(stdout);
}
