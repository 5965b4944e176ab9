/* SPDX-License-Identifier: GPL-2.0 */
/* The one place that holds the version of module, daemon and tool. */
#ifndef RDMABLK_VERSION_H
#define RDMABLK_VERSION_H

#define RDMABLK_VERSION "0.1.0"

#endif /* RDMABLK_VERSION_H */
