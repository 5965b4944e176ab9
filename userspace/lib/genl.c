// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink client over libnl. See genl.h.
 *
 * libnl turns the kernel's errno into a number of its own and loses some of
 * them on the way, so the error handler here keeps the kernel's. Events have a
 * socket of their own: an answer can then not be mistaken for an event, and a
 * burst of events that overflows the buffer loses events only.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "genl.h"

/**
 * struct genl - see genl.h
 * @family: what the caller asked for
 * @sock: requests and answers
 * @events: multicast, NULL until genl_join()
 * @id: of the family
 * @done: the answer is complete
 * @error: negative errno that the kernel sent
 * @text: the kernel's words for it
 * @fn: given each message; may be NULL
 * @data: for @fn
 */
struct genl {
	const struct genl_family *family;
	struct nl_sock *sock;
	struct nl_sock *events;
	int id;
	bool done;
	int error;
	char text[256];
	genl_fn fn;
	void *data;
};

/* For what fails in libnl itself, before the kernel is asked. */
static int nle_to_errno(int err)
{
	switch (-err) {
	case NLE_SUCCESS:
		return 0;
	case NLE_OBJ_NOTFOUND:
		return -ENOENT;
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_AGAIN:
		return -EAGAIN;
	case NLE_INTR:
		return -EINTR;
	case NLE_PERM:
		return -EPERM;
	case NLE_NOACCESS:
		return -EACCES;
	case NLE_DUMP_INTR:
		return -EAGAIN;
	case NLE_AF_NOSUPPORT:
	case NLE_PROTO_MISMATCH:
		return -EAFNOSUPPORT;
	default:
		return -EIO;
	}
}

static int on_message(struct nl_msg *msg, void *arg)
{
	struct genl *genl = arg;
	struct nlattr *attrs[genl->family->attr_max + 1];

	if (nlmsg_hdr(msg)->nlmsg_type != genl->id || !genl->fn)
		return NL_OK;
	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, genl->family->attr_max,
			  genl->family->policy))
		return NL_SKIP;
	genl->fn(attrs, genl->data);
	return NL_OK;
}

/* The text sits in attributes behind the request, of which a part may lack. */
static void keep_text(struct genl *genl, const struct nlmsgerr *err)
{
	const struct nlmsghdr *hdr =
		(const void *)((const char *)err - NLMSG_HDRLEN);
	size_t skip = sizeof(*err);
	struct nlattr *attrs, *text;

	if (!(hdr->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - NLMSG_HDRLEN;
	skip = NLMSG_ALIGN(skip);
	if (hdr->nlmsg_len < NLMSG_HDRLEN + skip)
		return;

	attrs = (struct nlattr *)((const char *)err + skip);
	text = nla_find(attrs, hdr->nlmsg_len - NLMSG_HDRLEN - skip,
			NLMSGERR_ATTR_MSG);
	if (text)
		nla_strlcpy(genl->text, text, sizeof(genl->text));
}

static int on_error(struct sockaddr_nl *peer, struct nlmsgerr *err, void *arg)
{
	struct genl *genl = arg;

	(void)peer;
	genl->error = err->error;
	genl->done = true;
	keep_text(genl, err);
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	struct genl *genl = arg;

	(void)msg;
	genl->done = true;
	return NL_STOP;
}

/* The end of a dump carries the dump's own errno. */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct genl *genl = arg;

	if (nlmsg_datalen(nlmsg_hdr(msg)) >= (int)sizeof(int))
		genl->error = *(int *)nlmsg_data(nlmsg_hdr(msg));
	genl->done = true;
	return NL_STOP;
}

static int connect_socket(struct genl *genl, struct nl_sock **sock)
{
	int one = 1, err;

	*sock = nl_socket_alloc();
	if (!*sock)
		return -ENOMEM;
	err = genl_connect(*sock);
	if (err)
		return nle_to_errno(err);
	/* Both are only refinements: an old kernel has a shorter text. */
	setsockopt(nl_socket_get_fd(*sock), SOL_NETLINK, NETLINK_EXT_ACK,
		   &one, sizeof(one));
	setsockopt(nl_socket_get_fd(*sock), SOL_NETLINK, NETLINK_CAP_ACK,
		   &one, sizeof(one));
	nl_socket_modify_cb(*sock, NL_CB_VALID, NL_CB_CUSTOM, on_message, genl);
	nl_socket_modify_cb(*sock, NL_CB_ACK, NL_CB_CUSTOM, on_ack, genl);
	nl_socket_modify_cb(*sock, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, genl);
	nl_socket_modify_err_cb(*sock, NL_CB_CUSTOM, on_error, genl);
	return 0;
}

/**
 * genl_open() - connect to a family
 * @family: which; must live as long as the client
 * @genl: set on success; closed with genl_close()
 *
 * Return: 0; -ENOENT when the kernel has no such family: the module is not
 * loaded; another negative errno.
 */
int genl_open(const struct genl_family *family, struct genl **genl)
{
	struct genl *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	new->family = family;
	err = connect_socket(new, &new->sock);
	if (!err) {
		new->id = genl_ctrl_resolve(new->sock, family->name);
		err = new->id < 0 ? nle_to_errno(new->id) : 0;
		if (new->error == -ENOENT)
			err = -ENOENT;
	}
	if (err) {
		genl_close(new);
		return err;
	}
	*genl = new;
	return 0;
}

/**
 * genl_close() - close a client
 * @genl: or NULL
 */
void genl_close(struct genl *genl)
{
	if (!genl)
		return;
	nl_socket_free(genl->events);
	nl_socket_free(genl->sock);
	free(genl);
}

/**
 * genl_text() - the kernel's words for the last failure
 * @genl: whose last request failed
 *
 * Return: a sentence without a full stop, or an empty string.
 */
const char *genl_text(const struct genl *genl)
{
	return genl->text;
}

static struct nl_msg *new_request(struct genl *genl, int command, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (msg && !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, genl->id, 0,
				flags, command, genl->family->version)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

/**
 * genl_request() - begin a request
 * @genl: the client
 * @command: of the family
 *
 * Return: a message to add attributes to, or NULL without memory.
 */
struct nl_msg *genl_request(struct genl *genl, int command)
{
	return new_request(genl, command, NLM_F_ACK);
}

static int receive(struct genl *genl, struct nl_sock *sock)
{
	int err = nl_recvmsgs_default(sock);

	if (genl->error)
		return genl->error;
	return err < 0 ? nle_to_errno(err) : 0;
}

/**
 * genl_call() - send a request and wait for the answer
 * @genl: the client
 * @msg: from genl_request(); freed here
 * @fn: given the answer's message, if there is one; may be NULL
 * @data: for @fn
 *
 * Return: 0, or a negative errno; then genl_text() may say more.
 */
int genl_call(struct genl *genl, struct nl_msg *msg, genl_fn fn, void *data)
{
	int err;

	genl->fn = fn;
	genl->data = data;
	genl->error = 0;
	genl->text[0] = '\0';
	genl->done = false;

	err = nl_send_auto(genl->sock, msg);
	nlmsg_free(msg);
	if (err < 0)
		return nle_to_errno(err);
	/* The ack follows the answer as a message of its own. */
	do {
		err = receive(genl, genl->sock);
	} while (!err && !genl->done);
	return err;
}

/**
 * genl_dump() - ask for all objects of a kind
 * @genl: the client
 * @command: of the family
 * @fn: given each message; after -EAGAIN it was given a part of the objects,
 *      and is given all of them again
 * @data: for @fn
 *
 * Return: 0, or a negative errno; -EAGAIN when the objects changed meanwhile.
 */
int genl_dump(struct genl *genl, int command, genl_fn fn, void *data)
{
	struct nl_msg *msg = new_request(genl, command, NLM_F_DUMP);

	return msg ? genl_call(genl, msg, fn, data) : -ENOMEM;
}

/**
 * genl_join() - begin to receive events
 * @genl: the client
 * @group: name of the multicast group
 *
 * Return: 0, or a negative errno.
 */
int genl_join(struct genl *genl, const char *group)
{
	int id, err;

	id = genl_ctrl_resolve_grp(genl->sock, genl->family->name, group);
	if (id < 0)
		return nle_to_errno(id);
	err = connect_socket(genl, &genl->events);
	if (err)
		return err;
	nl_socket_disable_seq_check(genl->events);
	err = nl_socket_set_nonblocking(genl->events);
	if (!err)
		err = nl_socket_add_membership(genl->events, id);
	return nle_to_errno(err);
}

/**
 * genl_events_fd() - descriptor to poll for events
 * @genl: after genl_join()
 *
 * Return: the descriptor, which remains the client's.
 */
int genl_events_fd(const struct genl *genl)
{
	return nl_socket_get_fd(genl->events);
}

/**
 * genl_events() - take the events that have arrived
 * @genl: after genl_join()
 * @fn: given each event
 * @data: for @fn
 *
 * Does not wait. Events get lost when they come faster than they are taken:
 * the caller asks for the state itself then, and now and again anyway.
 *
 * Return: 0, -ENOBUFS when events were lost, or another negative errno.
 */
int genl_events(struct genl *genl, genl_fn fn, void *data)
{
	int err;

	genl->fn = fn;
	genl->data = data;
	genl->error = 0;
	do {
		err = receive(genl, genl->events);
	} while (!err);

	if (err == -EAGAIN)
		return 0;
	/* What libnl makes of ENOBUFS. */
	return err == -ENOMEM ? -ENOBUFS : err;
}
