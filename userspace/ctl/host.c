// SPDX-License-Identifier: GPL-2.0
/*
 * Who this host is, as targets are told: an identity by which a host that
 * comes back replaces itself, and a name for people.
 */
#include <ctype.h>
#include <string.h>
#include <sys/utsname.h>
#include <systemd/sd-id128.h>

#include "host.h"
#include "proto.h"
#include "report.h"

/* Random, and the same for ever: it makes our identity out of the machine's. */
#define RBDCTL_APP_ID SD_ID128_MAKE(8c, 51, 6e, f2, 0d, 9b, 4a, 37, \
				    a1, 5e, 24, 7c, 90, db, 63, 18)

/**
 * host_id() - the identity of this host
 * @id: filled in
 *
 * Derived from the machine id, which is a secret of the host, so that the
 * target does not learn that. A host without one gets an identity for this
 * boot.
 *
 * Return: 0, or a negative errno.
 */
int host_id(unsigned char id[RDMABLK_UUID_SIZE])
{
	sd_id128_t result;
	int err;

	err = sd_id128_get_machine_app_specific(RBDCTL_APP_ID, &result);
	if (err < 0) {
		err = sd_id128_get_boot(&result);
		if (err < 0)
			return err;
		note("this host has no /etc/machine-id: until it is rebooted it is known by its boot id");
	}
	memcpy(id, result.bytes, RDMABLK_UUID_SIZE);
	return 0;
}

/**
 * host_name() - the name of this host
 * @name: filled in: valid by rdmablk_name_valid()
 */
void host_name(char name[RDMABLK_HOST_MAX])
{
	const char *from;
	struct utsname uts;
	size_t len = 0;

	uname(&uts);
	/* It must not begin with a mark. */
	for (from = uts.nodename; *from && !isalnum((unsigned char)*from);)
		from++;
	for (; *from && len < RDMABLK_HOST_MAX - 1; from++)
		name[len++] = rdmablk_name_valid(from, 1) ||
			      strchr("._-", *from) ? *from : '-';
	name[len] = '\0';
	if (!rdmablk_name_valid(name, len))
		strcpy(name, "unnamed");
}
