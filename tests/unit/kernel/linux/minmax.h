/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RDMABLK_TEST_LINUX_MINMAX_H
#define RDMABLK_TEST_LINUX_MINMAX_H

#define min(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

#endif /* RDMABLK_TEST_LINUX_MINMAX_H */
