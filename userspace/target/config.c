// SPDX-License-Identifier: GPL-2.0
/*
 * How the daemon is to run: defaults, and the keys that the configuration file
 * and the command line share. Sections [export NAME] are handed to spec.c, the
 * file's syntax is ini.c's.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "config.h"
#include "ini.h"
#include "suggest.h"
#include "value.h"

static int set_listen(struct config *config, const char *value,
		      struct reason *why)
{
	struct config_listen *listen = &config->listen[config->nr_listen];

	if (config->nr_listen >= CONFIG_LISTEN_MAX)
		return reason_set(why, -E2BIG, "more than %d addresses to listen on",
				  CONFIG_LISTEN_MAX);
	*listen = (struct config_listen){ .port = 0 };
	if (addr_split(value, listen->host, &listen->port)) {
		reason_set(why, -EINVAL, "listen: '%s' is not an address", value);
		reason_hint(why, "write ADDRESS, ADDRESS:PORT or [IPV6]:PORT");
		return -EINVAL;
	}
	config->nr_listen++;
	return 0;
}

static int set_port(struct config *config, const char *value,
		    struct reason *why)
{
	unsigned int port;
	int err = value_number("port", value, 1, UINT16_MAX, &port, why);

	if (!err)
		config->port = (uint16_t)port;
	return err;
}

/* ADDRESS:PORT, or a port of this host alone. */
static int set_metrics(struct config *config, const char *value,
		       struct reason *why)
{
	struct config_listen metrics = { .host = CONFIG_METRICS_HOST };
	bool split = strspn(value, "0123456789") != strlen(value);
	unsigned int port;
	int err = 0;

	if (!split)
		err = value_number("metrics", value, 1, UINT16_MAX, &port, why);
	if (err)
		return err;
	if (!split)
		metrics.port = (uint16_t)port;
	else if (addr_split(value, metrics.host, &metrics.port) || !metrics.port) {
		reason_set(why, -EINVAL, "metrics: '%s' is not an address and a port",
			   value);
		reason_hint(why, "write PORT, ADDRESS:PORT or [IPV6]:PORT");
		return -EINVAL;
	}
	config->metrics = metrics;
	return 0;
}

static int set_socket(struct config *config, const char *value,
		      struct reason *why)
{
	return value_path("socket", value, config->socket,
			  sizeof(config->socket), why);
}

static int set_state_dir(struct config *config, const char *value,
			 struct reason *why)
{
	return value_path("state-dir", value, config->state_dir,
			  sizeof(config->state_dir), why);
}

static int set_key_file(struct config *config, const char *value,
			struct reason *why)
{
	config->key_file_named = true;
	return value_path("key-file", value, config->key_file,
			  sizeof(config->key_file), why);
}

static int set_allow_unauthenticated(struct config *config, const char *value,
				     struct reason *why)
{
	return value_bool("allow-unauthenticated", value,
			  &config->allow_unauthenticated, why);
}

static int set_max_sessions(struct config *config, const char *value,
			    struct reason *why)
{
	return value_number("max-sessions", value, 1, 65536,
			    &config->max_sessions, why);
}

static int set_max_sessions_per_client(struct config *config,
				       const char *value, struct reason *why)
{
	return value_number("max-sessions-per-client", value, 1, 65536,
			    &config->max_sessions_per_client, why);
}

static int set_max_messages(struct config *config, const char *value,
			    struct reason *why)
{
	return value_number("max-messages", value, 1, 1000000,
			    &config->max_messages, why);
}

static int set_max_queues(struct config *config, const char *value,
			  struct reason *why)
{
	return value_number("max-queues", value, 1, RDMABLK_QUEUES_MAX,
			    &config->max_queues, why);
}

static int set_max_io_size(struct config *config, const char *value,
			   struct reason *why)
{
	uint64_t size;
	int err = value_size("max-io-size", value, &size, why);

	if (err)
		return err;
	if (size < RDMABLK_MAX_IO_MIN || size > RDMABLK_MAX_IO_MAX ||
	    (size & (size - 1)))
		return reason_set(why, -EINVAL, "max-io-size must be a power of two from 64K to 16M, not %s",
				  value);
	config->max_io_size = size;
	return 0;
}

static int set_memory_windows(struct config *config, const char *value,
			      struct reason *why)
{
	bool yes;

	if (!strcmp(value, "auto")) {
		config->memory_windows = WINDOWS_AUTO;
		return 0;
	}
	if (value_bool("memory-windows", value, &yes, why))
		return reason_set(why, -EINVAL, "memory-windows must be auto, yes or no, not '%s'",
				  value);
	config->memory_windows = yes ? WINDOWS_YES : WINDOWS_NO;
	return 0;
}

static const struct {
	const char *name;
	int (*set)(struct config *config, const char *value,
		   struct reason *why);
} keys[] = {
	{ "listen",			set_listen },
	{ "port",			set_port },
	{ "metrics",			set_metrics },
	{ "socket",			set_socket },
	{ "state-dir",			set_state_dir },
	{ "key-file",			set_key_file },
	{ "allow-unauthenticated",	set_allow_unauthenticated },
	{ "max-sessions",		set_max_sessions },
	{ "max-sessions-per-client",	set_max_sessions_per_client },
	{ "max-messages",		set_max_messages },
	{ "max-queues",			set_max_queues },
	{ "max-io-size",		set_max_io_size },
	{ "memory-windows",		set_memory_windows },
};

/**
 * config_init() - start with the defaults
 * @config: filled in
 */
void config_init(struct config *config)
{
	*config = (struct config){
		.port = RDMABLK_PORT,
		.socket = CONFIG_SOCKET,
		.state_dir = CONFIG_STATE_DIR,
		.key_file = CONFIG_KEY_FILE,
		.max_sessions = 4096,
		.max_sessions_per_client = 1024,
		.max_messages = 20000,
		.max_queues = 64,
		.max_io_size = (uint64_t)4 << 20,
	};
}

/**
 * config_free() - release what a configuration holds
 * @config: the configuration
 */
void config_free(struct config *config)
{
	free(config->exports);
	config->exports = NULL;
	config->nr_exports = 0;
}

/**
 * config_set() - set one property of the daemon
 * @config: the configuration
 * @key: as it is called in the file
 * @value: its value
 * @why: set on failure
 *
 * Return: 0, or -ENOENT for an unknown key, or another negative errno.
 */
int config_set(struct config *config, const char *key, const char *value,
	       struct reason *why)
{
	const char *known[ARRAY_SIZE(keys)], *meant;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!strcmp(key, keys[i].name))
			return keys[i].set(config, value, why);
		known[i] = keys[i].name;
	}
	meant = suggest(key, known, ARRAY_SIZE(keys));
	reason_set(why, -ENOENT, "unknown key '%s'", key);
	if (meant)
		reason_hint(why, "did you mean '%s'?", meant);
	else
		reason_hint(why, "keys of an export belong below [export NAME]");
	return -ENOENT;
}

/**
 * config_add_export() - have an export added at the start
 * @config: the configuration
 * @spec: the export; copied
 * @why: set on failure
 *
 * Return: 0, -EEXIST or -ENOMEM.
 */
int config_add_export(struct config *config, const struct spec *spec,
		      struct reason *why)
{
	struct spec *exports;
	size_t i;

	for (i = 0; i < config->nr_exports; i++)
		if (!strcmp(config->exports[i].name, spec->name))
			return reason_set(why, -EEXIST,
					  "there are two exports '%s'",
					  spec->name);
	exports = reallocarray(config->exports, config->nr_exports + 1,
			       sizeof(*exports));
	if (!exports)
		return reason_set(why, -ENOMEM, "out of memory");
	exports[config->nr_exports++] = *spec;
	config->exports = exports;
	return 0;
}

/* ---- The file ---------------------------------------------------------- */

/**
 * struct loading - a configuration file being read
 * @config: where it goes
 * @in_export: the last of @config->exports is the present section
 */
struct loading {
	struct config	*config;
	bool		in_export;
};

static int on_section(void *data, const char *name, struct reason *why)
{
	struct loading *loading = data;
	const size_t len = strlen("export ");
	struct spec spec;
	int err;

	if (strncmp(name, "export ", len)) {
		reason_set(why, -ENOENT, "unknown section [%s]", name);
		reason_hint(why, "sections are called [export NAME]");
		return -ENOENT;
	}
	name += len + strspn(name + len, " \t");
	err = spec_init(&spec, name, why);
	if (!err)
		err = config_add_export(loading->config, &spec, why);
	loading->in_export = true;
	return err;
}

static int on_key(void *data, const char *key, const char *value,
		  struct reason *why)
{
	struct loading *loading = data;
	struct config *config = loading->config;

	if (!loading->in_export)
		return config_set(config, key, value, why);
	return spec_set(&config->exports[config->nr_exports - 1], key, value,
			why);
}

/* What needs a whole section to be judged. */
static int check_exports(const struct config *config, const char *path,
			 struct reason *why)
{
	struct reason inner;
	size_t i;
	int err;

	for (i = 0; i < config->nr_exports; i++) {
		err = spec_check(&config->exports[i], &inner);
		if (!err)
			continue;
		reason_set(why, err, "%s: export %s: %s", path,
			   config->exports[i].name, inner.message);
		if (inner.hint[0])
			reason_hint(why, "%s", inner.hint);
		return err;
	}
	return 0;
}

/**
 * config_load() - read a configuration file
 * @config: begun with config_init(), without exports
 * @path: the file
 * @why: set on failure, with file and line
 *
 * Return: 0; -ENOENT when there is no such file, and others from opening it;
 * what ini_read(), config_set(), spec_init(), spec_set() and spec_check()
 * return.
 */
int config_load(struct config *config, const char *path, struct reason *why)
{
	static const struct ini_ops ops = {
		.section = on_section, .key = on_key,
	};
	struct loading loading = { .config = config };
	CLEANUP_FILE FILE *file = fopen(path, "re");
	int err;

	if (!file)
		return reason_set(why, -errno, "cannot read %s: %m", path);
	err = ini_read(file, path, &ops, &loading, why);
	return err ? err : check_exports(config, path, why);
}
