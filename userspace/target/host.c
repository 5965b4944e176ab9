// SPDX-License-Identifier: GPL-2.0
/*
 * The name of this host, in the form that the protocol allows.
 */
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "proto.h"

/**
 * host_name() - what clients are told whom they reached
 * @name: filled in, zero-filled to its end; characters that the protocol does
 *	  not allow become dashes
 */
void host_name(char name[static RDMABLK_HOST_MAX])
{
	size_t i;

	memset(name, 0, RDMABLK_HOST_MAX);
	if (gethostname(name, RDMABLK_HOST_MAX - 1))
		name[0] = '\0';
	for (i = 0; name[i]; i++)
		if (!rdmablk_name_valid((char[]){ 'x', name[i] }, 2))
			name[i] = '-';
	if (!rdmablk_name_valid(name, strlen(name)))
		memcpy(name, "target", sizeof("target"));
}
