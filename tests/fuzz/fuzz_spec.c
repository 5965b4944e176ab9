// SPDX-License-Identifier: GPL-2.0
/*
 * An export in one option, as in --export (target/spec.c).
 */
#include "input.h"
#include "proto.h"
#include "spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	struct reason why = { .message = "" };
	struct spec spec;

	if (!spec_parse(&spec, text, &why)) {
		MUST(rdmablk_name_valid(spec.name, strlen(spec.name)));
		MUST(spec.store && spec.block_size && spec.extent_size);
		MUST(!(spec.size % spec.block_size));
	} else {
		MUST(why.message[0]);
	}
	free(text);
	return 0;
}
