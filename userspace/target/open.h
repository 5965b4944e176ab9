/* SPDX-License-Identifier: GPL-2.0 */
/* OPEN: who gets an export. */
#ifndef RDMABLKD_OPEN_H
#define RDMABLKD_OPEN_H

struct session;
struct rdmablk_msg_open;

void open_message(struct session *session, const struct rdmablk_msg_open *open);

#endif /* RDMABLKD_OPEN_H */
