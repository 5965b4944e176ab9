// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration file (target/ini.c, config.c and spec.c).
 */
#include "config.h"
#include "file.h"
#include "proto.h"

static void sound(const struct config *config)
{
	struct reason why;
	size_t i;

	MUST(config->nr_listen <= CONFIG_LISTEN_MAX);
	MUST(config->port && config->max_sessions && config->max_queues);
	MUST(config->socket[0] == '/' && config->state_dir[0] == '/');
	for (i = 0; i < config->nr_exports; i++) {
		const struct spec *spec = &config->exports[i];

		MUST(rdmablk_name_valid(spec->name, strlen(spec->name)));
		MUST(!spec_check(spec, &why));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reason why = { .message = "" };
	struct config config;

	config_init(&config);
	if (!config_load(&config, file_with(data, size), &why))
		sound(&config);
	else
		MUST(why.message[0]);
	config_free(&config);
	return 0;
}
