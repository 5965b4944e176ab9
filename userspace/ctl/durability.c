// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of acknowledged writes, in words. The table in
 * Documentation/design.rst says the same for each store.
 */
#include <string.h>

#include "durability.h"
#include "uapi/rdmablk_proto.h"

/**
 * durability_word() - one word, for programs
 * @durability: enum rdmablk_durability, or what a newer target says
 *
 * Return: a constant string.
 */
const char *durability_word(uint32_t durability)
{
	switch (durability) {
	case RDMABLK_VOLATILE:
		return "volatile";
	case RDMABLK_RESTART:
		return "restart";
	case RDMABLK_DURABLE:
		return "durable";
	default:
		return "unknown";
	}
}

/**
 * durability_number() - the opposite of durability_word()
 * @word: a word
 *
 * Return: enum rdmablk_durability; zero when it is none of its words.
 */
uint32_t durability_number(const char *word)
{
	uint32_t number;

	for (number = RDMABLK_VOLATILE; number <= RDMABLK_DURABLE; number++)
		if (!strcmp(durability_word(number), word))
			return number;
	return 0;
}

/**
 * durability_survives() - what acknowledged writes survive
 * @durability: enum rdmablk_durability
 *
 * Return: the end of "acknowledged writes survive ...".
 */
const char *durability_survives(uint32_t durability)
{
	switch (durability) {
	case RDMABLK_VOLATILE:
		return "no restart of the daemon, no power loss of its host";
	case RDMABLK_RESTART:
		return "a restart of the daemon, no power loss of its host";
	case RDMABLK_DURABLE:
		return "all, once a FLUSH after them has completed";
	default:
		return "unknown";
	}
}

/**
 * durability_flush() - what FLUSH does
 * @write_cache: the device has a cache that can be flushed
 *
 * Return: the end of "a completed FLUSH guarantees ...".
 */
const char *durability_flush(bool write_cache)
{
	return write_cache ?
		"what was written before it survives a power loss" :
		"nothing more: there is no write cache to flush";
}
