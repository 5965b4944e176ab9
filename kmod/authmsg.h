/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the proofs of an authenticated session are computed over. Pure, like
 * proto.h: composed by the same code on both sides. How a MAC is computed is
 * for the crypto library of each.
 */
#ifndef RDMABLK_AUTHMSG_H
#define RDMABLK_AUTHMSG_H

#include "uapi/rdmablk_proto.h"

#ifdef __KERNEL__
#include <linux/socket.h>
#else
#include <stddef.h>
#include <sys/socket.h>
#endif

#define RDMABLK_LABEL_SIZE	16
#define RDMABLK_ADDR_SIZE	16	/* IPv6, or IPv4 mapped into it */

/**
 * enum rdmablk_proof - what a MAC is for
 * @RDMABLK_PROOF_CLIENT: the client has the key
 * @RDMABLK_PROOF_TARGET: the target has it
 * @RDMABLK_PROOF_SESSION: no proof: the key of the session, for its data
 *			   connections
 *
 * Each has a label of its own, so that no MAC can be taken for another.
 */
enum rdmablk_proof {
	RDMABLK_PROOF_CLIENT,
	RDMABLK_PROOF_TARGET,
	RDMABLK_PROOF_SESSION,
};

/**
 * struct rdmablk_auth_input - what a MAC covers; as a whole, it has no gaps
 * @label: says what the MAC is for
 * @version_min: that the client offered
 * @version_max: that the client offered
 * @version: that the target chose
 * @access: enum rdmablk_access, from AUTH
 * @reserved: zero
 * @client_addr: where the connection comes from
 * @target_addr: where it goes to
 * @hello: as it was sent, with the client's nonce; its header is zero
 * @reply: likewise, with the target's nonce
 * @export: from AUTH
 *
 * Both ends fill it in from what they themselves sent, received and see: if
 * somebody between them changed anything, the MACs differ. The addresses keep a
 * third host from passing on a handshake that it has no key for.
 */
struct rdmablk_auth_input {
	char				label[RDMABLK_LABEL_SIZE];
	__u8				version_min;
	__u8				version_max;
	__u8				version;
	__u8				access;
	__u8				reserved[4];
	__u8				client_addr[RDMABLK_ADDR_SIZE];
	__u8				target_addr[RDMABLK_ADDR_SIZE];
	struct rdmablk_msg_hello	hello;
	struct rdmablk_msg_hello_reply	reply;
	char				export[RDMABLK_NAME_MAX];
};

/* How many bytes of a connect request the proof of a data connection covers. */
#define RDMABLK_PROVEN_SIZE	offsetof(struct rdmablk_cm_req, proof)

void rdmablk_auth_label(struct rdmablk_auth_input *input,
			enum rdmablk_proof proof);
void rdmablk_auth_versions(struct rdmablk_auth_input *input, __u8 version_min,
			   __u8 version_max, __u8 version);
void rdmablk_auth_addrs(struct rdmablk_auth_input *input,
			const struct sockaddr *client,
			const struct sockaddr *target);
void rdmablk_auth_hello(struct rdmablk_auth_input *input,
			const struct rdmablk_msg_hello *hello,
			const struct rdmablk_msg_hello_reply *reply);
void rdmablk_auth_wish(struct rdmablk_auth_input *input,
		       const struct rdmablk_msg_auth *auth);

#endif /* RDMABLK_AUTHMSG_H */
