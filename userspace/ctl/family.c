// SPDX-License-Identifier: GPL-2.0
/*
 * The module's generic netlink family. A kernel without it has the module not
 * loaded; attach loads it, all others say so.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "family.h"
#include "report.h"
#include "spawn.h"
#include "uapi/rdmablk_genl.h"

static const struct nla_policy policy[RDMABLK_ATTR_MAX + 1] = {
	[RDMABLK_ATTR_INDEX]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_NAME]		= { .type = NLA_STRING },
	[RDMABLK_ATTR_ADDR]		= { .type = NLA_UNSPEC },
	[RDMABLK_ATTR_SOURCE]		= { .type = NLA_UNSPEC },
	[RDMABLK_ATTR_TARGET_NAME]	= { .type = NLA_STRING },
	[RDMABLK_ATTR_EXPORT]		= { .type = NLA_STRING },
	[RDMABLK_ATTR_FLAGS]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_HOST_ID]		= { .type = NLA_UNSPEC, .minlen = 16 },
	[RDMABLK_ATTR_HOST_NAME]	= { .type = NLA_STRING },
	[RDMABLK_ATTR_STATE]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_ERRNO]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_REASON]		= { .type = NLA_STRING },
	[RDMABLK_ATTR_QUEUES]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_POLL_QUEUES]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_DEPTH]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_SIZE]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_LOGICAL_BLOCK]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_PHYSICAL_BLOCK]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_MAX_IO]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_EXTENTS]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_DURABILITY]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_WRITE_CACHE]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_GENERATION]	= { .type = NLA_UNSPEC, .minlen = 16 },
	[RDMABLK_ATTR_INSTANCE]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_SESSION]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_IBDEV]		= { .type = NLA_STRING },
	[RDMABLK_ATTR_IBPORT]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_TRANSPORT]	= { .type = NLA_STRING },
	[RDMABLK_ATTR_OPENERS]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_CONNECT_TMO]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_KEEP_ALIVE_TMO]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_RECONNECT_DELAY]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_DEV_LOSS_TMO]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_ATTEMPTS]		= { .type = NLA_U32 },
	[RDMABLK_ATTR_RECONNECTS]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_MODULE_VERSION]	= { .type = NLA_STRING },
	[RDMABLK_ATTR_ID]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_SYNC_INTERVAL]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_DIRTY]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_FLUSHES]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_FLUSH_AGE]	= { .type = NLA_U64 },
	[RDMABLK_ATTR_FLUSH_TIME]	= { .type = NLA_U64 },
	[RDMABLK_ATTR_FLUSH_ERROR]	= { .type = NLA_STRING },
	[RDMABLK_ATTR_FAST_IO_FAIL_TMO]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_REQUEST_TMO]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_NEXT_ATTEMPT_IN]	= { .type = NLA_U64 },
	[RDMABLK_ATTR_IO_FAILS_IN]	= { .type = NLA_U64 },
	[RDMABLK_ATTR_GIVE_UP_IN]	= { .type = NLA_U64 },
	[RDMABLK_ATTR_WAITS]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_REPLAYS]		= { .type = NLA_U64 },
	[RDMABLK_ATTR_IN_FLIGHT]	= { .type = NLA_U32 },
	[RDMABLK_ATTR_OPS]		= { .type = NLA_NESTED },
};

static const struct genl_family family = {
	.name		= RDMABLK_GENL_NAME,
	.version	= RDMABLK_GENL_VERSION,
	.attr_max	= RDMABLK_ATTR_MAX,
	.policy		= policy,
};

/**
 * family_open() - connect to the module
 * @genl: set on success; closed with genl_close()
 *
 * Return: 0; -ENOENT when the module is not loaded; another negative errno.
 */
int family_open(struct genl **genl)
{
	return genl_open(&family, genl);
}

/* The kernel's own idea of where modprobe is; sbin may not be in our PATH. */
static void find_modprobe(char *path, size_t size)
{
	CLEANUP_FILE FILE *file = fopen("/proc/sys/kernel/modprobe", "re");

	if (!file || !fgets(path, (int)size, file) || path[0] != '/')
		snprintf(path, size, "/sbin/modprobe");
	path[strcspn(path, "\n")] = '\0';
}

/* Runs modprobe; @text gets the first line that it has to say. */
static int run_modprobe(char *text, size_t size)
{
	CLEANUP_FREE char *said = NULL;
	char path[256];
	const char *const argv[] = { path, RDMABLK_GENL_NAME, NULL };
	int status;

	find_modprobe(path, sizeof(path));
	status = spawn_read(argv, &said);
	if (status < 0)
		snprintf(text, size, "cannot run modprobe: %s",
			 strerror(-status));
	else
		snprintf(text, size, "%.*s", (int)strcspn(said, "\n"), said);
	return status > 0 ? -ENOENT : status;
}

static enum rbdctl_exit load_failed(const char *text)
{
	if (geteuid()) {
		fail(EXIT_REFUSED, "the rdmablk module is not loaded, and only root (CAP_SYS_MODULE) can load it");
		remedy("try 'sudo rbdctl ...'");
		return EXIT_REFUSED;
	}
	fail(EXIT_UNAVAILABLE, "the rdmablk module is not loaded, and loading it failed%s%s",
	     text[0] ? ": " : "", text);
	remedy("install it for this kernel ('make modules_install'), or load it with insmod; 'dmesg' may say more");
	return EXIT_UNAVAILABLE;
}

/**
 * family_load() - connect to the module, load it if need be
 * @genl: set on success; closed with genl_close()
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit family_load(struct genl **genl)
{
	char text[256];
	int err = family_open(genl);

	if (err == -ENOENT) {
		if (run_modprobe(text, sizeof(text)))
			return load_failed(text);
		err = family_open(genl);
	}
	return err ? family_fail(NULL, err, "cannot reach the rdmablk module")
		   : EXIT_OK;
}

/**
 * family_fail() - say why the kernel did not do something
 * @genl: whose request failed, or NULL
 * @err: negative errno that it failed with
 * @what: "cannot ..."
 *
 * Return: how to exit.
 */
enum rbdctl_exit family_fail(const struct genl *genl, int err,
			     const char *what)
{
	const char *text = genl ? genl_text(genl) : "";

	if (err == -EPERM) {
		fail(EXIT_REFUSED, "%s: you must be root (CAP_NET_ADMIN)",
		     what);
		remedy("try 'sudo rbdctl ...'");
		return EXIT_REFUSED;
	}
	if (err == -ENOENT && !*text) {
		fail(EXIT_UNAVAILABLE, "%s: the rdmablk module is not loaded",
		     what);
		remedy("'rbdctl attach' loads it, or 'modprobe rdmablk'");
		return EXIT_UNAVAILABLE;
	}
	return fail(exit_for_errno(err), "%s: %s", what,
		    *text ? text : strerror(-err));
}
