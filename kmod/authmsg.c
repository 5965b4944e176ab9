// SPDX-License-Identifier: GPL-2.0
/*
 * What the proofs of an authenticated session are computed over. See authmsg.h.
 */
#include "authmsg.h"

#ifdef __KERNEL__
#include <linux/build_bug.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/string.h>
#else
#include <assert.h>
#include <netinet/in.h>
#include <string.h>
#endif

static_assert(sizeof(struct rdmablk_auth_input) == 544, "auth input: no gaps");
static_assert(RDMABLK_PROVEN_SIZE == 24, "proven part of a connect request");

/**
 * rdmablk_auth_label() - say what the next MAC is for
 * @input: what it covers
 * @proof: what it is for
 *
 * Context: any.
 */
void rdmablk_auth_label(struct rdmablk_auth_input *input,
			enum rdmablk_proof proof)
{
	static const char labels[][RDMABLK_LABEL_SIZE] = {
		[RDMABLK_PROOF_CLIENT]	= "rdmablk client",
		[RDMABLK_PROOF_TARGET]	= "rdmablk target",
		[RDMABLK_PROOF_SESSION]	= "rdmablk session",
	};

	memcpy(input->label, labels[proof], sizeof(input->label));
}

/**
 * rdmablk_auth_versions() - start with how the control connection came about
 * @input: cleared, but for this
 * @version_min: lowest version that the client offered
 * @version_max: highest version that the client offered
 * @version: that the target chose
 *
 * Context: any.
 */
void rdmablk_auth_versions(struct rdmablk_auth_input *input, __u8 version_min,
			   __u8 version_max, __u8 version)
{
	memset(input, 0, sizeof(*input));
	input->version_min = version_min;
	input->version_max = version_max;
	input->version = version;
}

/* Those of the two families that there are; all zero for others. */
static void addr_bytes(const struct sockaddr *sa, __u8 out[RDMABLK_ADDR_SIZE])
{
	static const __u8 mapped[12] = { [10] = 0xff, [11] = 0xff };

	memset(out, 0, RDMABLK_ADDR_SIZE);
	if (sa->sa_family == AF_INET6) {
		memcpy(out, &((const struct sockaddr_in6 *)sa)->sin6_addr,
		       RDMABLK_ADDR_SIZE);
	} else if (sa->sa_family == AF_INET) {
		memcpy(out, mapped, sizeof(mapped));
		memcpy(out + sizeof(mapped),
		       &((const struct sockaddr_in *)sa)->sin_addr,
		       RDMABLK_ADDR_SIZE - sizeof(mapped));
	}
}

/**
 * rdmablk_auth_addrs() - add the ends of the control connection
 * @input: what the MACs cover
 * @client: address of the client, as the caller sees it
 * @target: address of the target, likewise
 *
 * Context: any.
 */
void rdmablk_auth_addrs(struct rdmablk_auth_input *input,
			const struct sockaddr *client,
			const struct sockaddr *target)
{
	addr_bytes(client, input->client_addr);
	addr_bytes(target, input->target_addr);
}

/**
 * rdmablk_auth_hello() - add HELLO and its answer
 * @input: what the MACs cover
 * @hello: as it was sent or received
 * @reply: likewise
 *
 * Context: any.
 */
void rdmablk_auth_hello(struct rdmablk_auth_input *input,
			const struct rdmablk_msg_hello *hello,
			const struct rdmablk_msg_hello_reply *reply)
{
	input->hello = *hello;
	memset(&input->hello.hdr, 0, sizeof(input->hello.hdr));
	input->reply = *reply;
	memset(&input->reply.hdr, 0, sizeof(input->reply.hdr));
}

/**
 * rdmablk_auth_wish() - add what the client wants
 * @input: what the MACs cover
 * @auth: as it was sent or received
 *
 * Context: any.
 */
void rdmablk_auth_wish(struct rdmablk_auth_input *input,
		       const struct rdmablk_msg_auth *auth)
{
	memcpy(input->export, auth->export, sizeof(input->export));
	input->access = auth->access;
}
