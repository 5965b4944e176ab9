// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches one export. See attach_device.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "attach_device.h"
#include "device_word.h"
#include "export_name.h"
#include "family.h"
#include "host.h"
#include "kernel_key.h"
#include "node.h"
#include "outcome.h"
#include "report.h"
#include "target.h"

#define UNDO_MS		30000	/* for a detach after a failure */

/**
 * struct attach - an attach under way
 * @target: as the user wrote it
 * @export: name of the export
 * @opts: how
 * @source: address to connect from, as target_source() gives it
 * @addr: address of the target that is being tried
 * @outcome: what became of the device
 * @name: of the device, once there is one
 */
struct attach {
	const char *target;
	const char *export;
	const struct attach_opts *opts;
	union addr source;
	union addr addr;
	struct outcome outcome;
	char name[DEVICE_NAME_MAX];
};

static void put_addr(struct nl_msg *msg, int attr, const union addr *addr)
{
	nla_put(msg, attr, addr->sa.sa_family == AF_INET6 ?
		(int)sizeof(addr->in6) : (int)sizeof(addr->in), addr);
}

static void put_number(struct nl_msg *msg, int attr, int64_t value)
{
	if (value >= 0)
		nla_put_u32(msg, attr, (uint32_t)value);
}

static void put_options(const struct attach_opts *opts, struct nl_msg *msg)
{
	uint32_t flags = 0;

	if (opts->read_only)
		flags |= RDMABLK_FLAG_READ_ONLY;
	if (opts->force)
		flags |= RDMABLK_FLAG_FORCE;
	if (opts->no_partscan)
		flags |= RDMABLK_FLAG_NO_PARTSCAN;
	nla_put_u32(msg, RDMABLK_ATTR_FLAGS, flags);
	if (opts->key)
		nla_put_string(msg, RDMABLK_ATTR_KEY, opts->key);
	put_number(msg, RDMABLK_ATTR_QUEUES, opts->queues);
	put_number(msg, RDMABLK_ATTR_POLL_QUEUES, opts->poll_queues);
	put_number(msg, RDMABLK_ATTR_DEPTH, opts->depth);
	put_number(msg, RDMABLK_ATTR_CONNECT_TMO, opts->connect_tmo < 0 ?
		   -1 : opts->connect_tmo * 1000);
	settings_put(&opts->settings, msg);
}

static struct nl_msg *attach_message(const struct attach *attach)
{
	struct nl_msg *msg = genl_request(attach->outcome.genl,
					  RDMABLK_CMD_ATTACH);
	unsigned char id[RDMABLK_UUID_SIZE];
	char name[RDMABLK_HOST_MAX], target[RDMABLK_NAME_MAX];

	if (!msg)
		return NULL;
	put_addr(msg, RDMABLK_ATTR_ADDR, &attach->addr);
	if (attach->source.sa.sa_family != AF_UNSPEC)
		put_addr(msg, RDMABLK_ATTR_SOURCE, &attach->source);
	snprintf(target, sizeof(target), "%s", attach->target);
	nla_put_string(msg, RDMABLK_ATTR_TARGET_NAME, target);
	nla_put_string(msg, RDMABLK_ATTR_EXPORT, attach->export);
	if (!host_id(id))
		nla_put(msg, RDMABLK_ATTR_HOST_ID, sizeof(id), id);
	host_name(name);
	nla_put_string(msg, RDMABLK_ATTR_HOST_NAME, name);
	put_options(attach->opts, msg);
	return msg;
}

static void on_answer(struct nlattr **attrs, void *data)
{
	struct attach *attach = data;

	if (!attrs[RDMABLK_ATTR_INDEX] || !attrs[RDMABLK_ATTR_ID])
		return;
	attach->outcome.index = nla_get_u32(attrs[RDMABLK_ATTR_INDEX]);
	attach->outcome.id = nla_get_u64(attrs[RDMABLK_ATTR_ID]);
	device_name(attach->outcome.index, attach->name);
}

/* Removes what an attach that ends early has created. */
static void undo(struct attach *attach)
{
	struct genl *genl = attach->outcome.genl;
	struct nl_msg *msg = genl_request(genl, RDMABLK_CMD_DETACH);

	if (!msg)
		return;
	nla_put_u32(msg, RDMABLK_ATTR_INDEX, attach->outcome.index);
	nla_put_u32(msg, RDMABLK_ATTR_FLAGS, RDMABLK_FLAG_FORCE);
	if (genl_call(genl, msg, NULL, NULL))
		return;
	/* Signals were heard: a second one must not cut this short. */
	attach->outcome.signals = -1;
	outcome_wait(&attach->outcome, outcome_gone, UNDO_MS);
}

static enum rbdctl_exit interrupted(struct attach *attach)
{
	int number = attach->outcome.signal;

	undo(attach);
	fail(EXIT_FAILED, "%s while waiting: %s is not attached",
	     strsignal(number), quote(attach->export));
	return (enum rbdctl_exit)(128 + number);
}

/* Most reasons name the address already, which the user may not have written. */
static enum rbdctl_exit not_attached(const struct attach *attach, int error,
				     const char *reason)
{
	char text[ADDR_TEXT_MAX];

	if (strstr(reason, addr_text(&attach->addr, text)))
		fail(EXIT_FAILED, "cannot attach %s: %s",
		     quote(attach->export), reason);
	else
		fail(EXIT_FAILED, "cannot attach %s of %s: %s",
		     quote(attach->export), text, reason);
	if (error == ENODEV && attach->opts->source)
		remedy("is the --source %s an address of an RDMA device of this host?",
		       attach->opts->source);
	if (error == ENOKEY)
		remedy("'rbdctl key add %s' gives the kernel the key",
		       attach->opts->key);
	if (error == EAGAIN)
		remedy("--retry SECONDS tries again until it can be attached");
	if (error == EACCES && !attach->opts->key)
		remedy("--key NAME authenticates this host; 'rbdctl key list' shows what there is");
	return exit_for_errno(error);
}

/* The device is LIVE, or will never be. */
static enum rbdctl_exit judge(struct attach *attach)
{
	struct outcome *outcome = &attach->outcome;
	enum rbdctl_exit code;

	if (outcome->state == RDMABLK_STATE_LIVE ||
	    outcome->state == RDMABLK_STATE_RECOVERING)
		return EXIT_OK;
	if (outcome->state == RDMABLK_STATE_FAILED)
		undo(attach);
	if (!outcome->error)
		return not_attached(attach, 0, "it was detached while it connected");
	code = not_attached(attach, outcome->error, outcome->reason[0] ?
			    outcome->reason : strerror(outcome->error));
	/* Said by the target; the reason has who it is. */
	if (outcome->error == EBUSY)
		remedy("detach it there, or take it with --force: the device there fails then");
	return code;
}

/* The kernel refused ATTACH itself. */
static enum rbdctl_exit refused(struct attach *attach, int err)
{
	const char *text = genl_text(attach->outcome.genl);
	char what[RDMABLK_NAME_MAX + 32];

	if (*text && err == -EINVAL)
		return fail(EXIT_USAGE, "cannot attach %s: %s",
			    quote(attach->export), text);
	if (*text)
		return not_attached(attach, -err, text);
	snprintf(what, sizeof(what), "cannot attach %s", quote(attach->export));
	return family_fail(NULL, err, what);
}

static enum rbdctl_exit attach_addr(struct attach *attach)
{
	struct outcome *outcome = &attach->outcome;
	struct nl_msg *msg;
	int err;

	outcome->state = 0;
	outcome->error = 0;
	attach->name[0] = '\0';
	msg = attach_message(attach);
	if (!msg)
		return refused(attach, -ENOMEM);
	err = genl_call(outcome->genl, msg, on_answer, attach);
	if (!err && !attach->name[0])
		err = -EPROTO;
	if (err)
		return refused(attach, err);

	err = outcome_wait(outcome, outcome_attached, -1);
	if (err == -EINTR)
		return interrupted(attach);
	if (err) {
		undo(attach);
		return refused(attach, err);
	}
	return judge(attach);
}

/* In the resolver's order; only another address can help where there is no way. */
static enum rbdctl_exit attach_any(struct attach *attach,
				   const struct addrinfo *list)
{
	int family = attach->source.sa.sa_family;
	enum rbdctl_exit code = EXIT_UNREACHABLE;
	bool tried = false;

	for (; list && code == EXIT_UNREACHABLE; list = list->ai_next) {
		if (list->ai_family != AF_INET && list->ai_family != AF_INET6)
			continue;
		if (family != AF_UNSPEC && family != list->ai_family)
			continue;
		if (tried)
			note("trying the next address of %s",
			     quote(attach->target));
		tried = true;
		memset(&attach->addr, 0, sizeof(attach->addr));
		memcpy(&attach->addr, list->ai_addr, list->ai_addrlen);
		code = attach_addr(attach);
	}
	if (!tried)
		fail(EXIT_UNREACHABLE, "%s has no address of the kind that --source %s is",
		     quote(attach->target), attach->opts->source);
	else if (code == EXIT_UNREACHABLE)
		remedy("'rbdctl doctor %s' looks for the cause", attach->target);
	return code;
}

static enum rbdctl_exit finish(struct attach *attach)
{
	int err = node_wait(attach->name, !attach->opts->no_udev,
			    &attach->outcome);

	if (err == -EINTR)
		return interrupted(attach);
	if (err == -ENODEV)
		return judge(attach);
	if (err) {
		fail(EXIT_FAILED, "%s is connected, but there is no /dev/%s: %s",
		     attach->name, attach->name, strerror(-err));
		remedy("detached it again; is udev running, or devtmpfs mounted on /dev?");
		undo(attach);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

static enum rbdctl_exit connect_kernel(struct attach *attach)
{
	struct outcome *outcome = &attach->outcome;
	enum rbdctl_exit code = family_load(&outcome->genl);
	int err;

	if (code)
		return code;
	err = genl_join(outcome->genl, RDMABLK_GENL_GROUP);
	return err ? family_fail(NULL, err, "cannot listen to the module's events")
		   : EXIT_OK;
}

/**
 * attach_device() - make an export of a target a block device
 * @where: the target, as the user wrote it
 * @export: name of the export
 * @opts: how
 * @signals: from signals_open(): one that comes ends the wait
 * @name: set to the device's
 *
 * Whatever ends it before the device can be opened, a failure or a signal, leaves
 * no device behind.
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit attach_device(const char *where, const char *export,
			       const struct attach_opts *opts, int signals,
			       char name[DEVICE_NAME_MAX])
{
	struct attach attach = {
		.target = where, .export = export, .opts = opts,
		.outcome.signals = signals,
	};
	struct target target;
	enum rbdctl_exit code = target_parse(where, &target);

	if (!code)
		code = export_name_check(export);
	if (!code && opts->key)
		code = key_name_check(opts->key);
	if (!code)
		code = target_source(opts->source, &attach.source);
	if (!code)
		code = target_resolve(&target);
	if (code)
		return code;

	if (opts->key)
		kernel_key_offer(opts->key);
	code = connect_kernel(&attach);
	if (!code)
		code = attach_any(&attach, target.list);
	if (!code)
		code = finish(&attach);
	if (!code)
		strcpy(name, attach.name);

	freeaddrinfo(target.list);
	genl_close(attach.outcome.genl);
	return code;
}
