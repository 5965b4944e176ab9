// SPDX-License-Identifier: GPL-2.0
/*
 * What all messages have in common. See proto.h for the rules and
 * Documentation/protocol.rst for the layouts.
 */
#include "proto_field.h"

static const char * const status_texts[] = {
	[RDMABLK_OK]		= "success",
	[RDMABLK_E_VERSION]	= "no protocol version in common",
	[RDMABLK_E_MESSAGE]	= "malformed or unexpected message",
	[RDMABLK_E_DENIED]	= "access denied",
	[RDMABLK_E_NO_EXPORT]	= "no such export",
	[RDMABLK_E_BUSY]	= "export is in use by another host",
	[RDMABLK_E_READ_ONLY]	= "export is read-only",
	[RDMABLK_E_LIMIT]	= "a limit of the target is reached",
	[RDMABLK_E_NO_SESSION]	= "no such session",
	[RDMABLK_E_QUEUE]	= "no such data queue, or already connected",
	[RDMABLK_E_NOT_READY]	= "export is not ready yet",
	[RDMABLK_E_FENCED]	= "fenced: another host took the export over",
	[RDMABLK_E_STORE]	= "error of the backing store",
	[RDMABLK_E_SHUTDOWN]	= "target is shutting down",
	[RDMABLK_E_INTERNAL]	= "internal error of the target",
	[RDMABLK_E_DEVICE]	= "export is not registered on this RDMA device",
	[RDMABLK_E_REMOVED]	= "export was removed",
	[RDMABLK_E_UNSUPPORTED]	= "not supported by this export",
};

/**
 * rdmablk_status_text() - words for a status
 * @status: enum rdmablk_status, or anything that a peer sent
 *
 * Return: a constant string, never NULL.
 */
const char *rdmablk_status_text(unsigned int status)
{
	if (status >= __RDMABLK_STATUS_END)
		return "unknown status";
	return status_texts[status];
}

/**
 * rdmablk_check_hdr() - validate what all control messages share
 * @msg: the message
 * @len: bytes that arrived
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_hdr(const void *msg, size_t len)
{
	const struct rdmablk_msg_hdr *hdr = msg;

	if (len < sizeof(*hdr) || len > RDMABLK_MSG_MAX ||
	    le32_to_cpu(hdr->length) != len)
		return -EPROTO;
	return 0;
}
