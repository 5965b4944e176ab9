/* SPDX-License-Identifier: GPL-2.0 */
/* What a session is granted of an export. */
#ifndef RDMABLKD_GRANT_H
#define RDMABLKD_GRANT_H

struct export;
struct session;
struct rdmablk_msg_open;

void grant_session(struct session *session, struct export *export,
		   const struct rdmablk_msg_open *open);

#endif /* RDMABLKD_GRANT_H */
