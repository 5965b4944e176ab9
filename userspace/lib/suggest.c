// SPDX-License-Identifier: GPL-2.0
/*
 * What a mistyped word was probably meant to be: the known word at the
 * smallest edit distance, if that is small.
 */
#include <limits.h>
#include <string.h>

#include "suggest.h"

#define WORD_MAX	64	/* longer words are not compared */

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

/**
 * suggest_distance() - how many edits turn one word into another
 * @a: a word
 * @b: another
 *
 * Edits are inserting, deleting and replacing a character, and swapping two
 * neighbours.
 *
 * Return: the number of edits; UINT_MAX when a word is too long to compare.
 */
unsigned int suggest_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i, j;
	unsigned int rows[3][WORD_MAX + 1];
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2];

	if (la > WORD_MAX || lb > WORD_MAX)
		return UINT_MAX;
	for (j = 0; j <= lb; j++)
		last[j] = (unsigned int)j;

	for (i = 1; i <= la; i++) {
		unsigned int *spare = before;

		row[0] = (unsigned int)i;
		for (j = 1; j <= lb; j++) {
			row[j] = min3(last[j] + 1, row[j - 1] + 1,
				      last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[lb];
}

/**
 * suggest() - find the known word that was probably meant
 * @word: as it was typed
 * @known: the words that there are
 * @count: how many
 *
 * Return: the nearest of @known, or NULL when none is near enough to be a
 * spelling mistake.
 */
const char *suggest(const char *word, const char *const *known, size_t count)
{
	unsigned int best = (unsigned int)(strlen(word) / 3 + 1);
	const char *found = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		unsigned int distance = suggest_distance(word, known[i]);

		if (distance < best || (distance == best && !found)) {
			best = distance;
			found = known[i];
		}
	}
	return found;
}
