// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel tells in text files (lib/procfile.c and target/cgroup.c).
 */
#include "cgroup.h"
#include "file.h"
#include "procfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = file_with(data, size);
	uint64_t number;

	procfile_number(path, &number);
	procfile_field(path, "MemAvailable", &number);
	procfile_hex_field(path, "CapEff", &number);
	cgroup_room_below("/nonexistent", path, &number);
	return 0;
}
