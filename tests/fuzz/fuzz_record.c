// SPDX-License-Identifier: GPL-2.0
/*
 * What the daemon keeps of contents, in its state directory (target/record.c).
 */
#include "file.h"
#include "record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* As in the corpus, so that records get past the comparison, too. */
	const struct tie tie = { .kind = TIE_DISK, .size = 1 << 20, .id = "disk" };
	struct reason why = { .message = "" };
	struct record record;

	if (record_load(&record, file_with(data, size), &tie, &why)) {
		MUST(why.message[0]);
		return 0;
	}
	MUST(record.identity.instance && record.tie.kind == TIE_DISK);
	MUST(strnlen(record.tie.id, sizeof(record.tie.id)) <
	     sizeof(record.tie.id));
	MUST(strnlen(record.identity.holder.host_name, RDMABLK_HOST_MAX) <
	     RDMABLK_HOST_MAX);
	return 0;
}
