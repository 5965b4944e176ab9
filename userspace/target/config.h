/* SPDX-License-Identifier: GPL-2.0 */
/* How the daemon is to run. */
#ifndef RDMABLKD_CONFIG_H
#define RDMABLKD_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

#include "addr.h"
#include "reason.h"
#include "spec.h"

#define CONFIG_FILE		"/etc/rdmablk/rdmablkd.conf"
#define CONFIG_KEY_FILE		"/etc/rdmablk/keys"
#define CONFIG_STATE_DIR	"/var/lib/rdmablkd"
#define CONFIG_SOCKET		"/run/rdmablkd/control.sock"
#define CONFIG_LISTEN_MAX	16
#define CONFIG_METRICS_HOST	"127.0.0.1"
#define CONFIG_SOCKET_MAX	sizeof(((struct sockaddr_un *)0)->sun_path)

/**
 * struct config_listen - an address to listen on
 * @host: name or address
 * @port: of its own; zero: the daemon's
 */
struct config_listen {
	char		host[ADDR_HOST_MAX];
	uint16_t	port;
};

/**
 * enum windows_wanted - where memory windows are used
 * @WINDOWS_AUTO: on devices that have them, and whose driver does them well
 * @WINDOWS_YES: on all that have them
 * @WINDOWS_NO: nowhere
 */
enum windows_wanted { WINDOWS_AUTO, WINDOWS_YES, WINDOWS_NO };

/**
 * struct config - how the daemon is to run
 * @listen: addresses; the wildcard takes a second entry for IPv6
 * @nr_listen: how many; zero: all there are
 * @port: where an address has none of its own
 * @metrics: address that metrics are served on; no port: they are not
 * @exports: to be added at the start
 * @nr_exports: how many
 * @socket: path of the control socket
 * @state_dir: where the daemon keeps its lock and what survives a restart
 * @key_file: the clients' keys
 * @key_file_named: by the operator: it must be there
 * @allow_unauthenticated: clients need not prove who they are
 * @max_sessions: at one time
 * @max_sessions_per_client: of them for one address
 * @max_messages: control messages from one address in a second
 * @max_queues: data queues of one session
 * @max_io_size: largest I/O of a client, bytes
 * @memory_windows: where remote keys are those of one connection
 */
struct config {
	struct config_listen	listen[CONFIG_LISTEN_MAX];
	unsigned int		nr_listen;
	uint16_t		port;
	struct config_listen	metrics;
	struct spec		*exports;
	size_t			nr_exports;
	char			socket[CONFIG_SOCKET_MAX];
	char			state_dir[PATH_MAX / 2];
	char			key_file[PATH_MAX / 2];
	bool			key_file_named;
	bool			allow_unauthenticated;
	unsigned int		max_sessions;
	unsigned int		max_sessions_per_client;
	unsigned int		max_messages;
	unsigned int		max_queues;
	uint64_t		max_io_size;
	enum windows_wanted	memory_windows;
};

void config_init(struct config *config);
void config_free(struct config *config);
int config_set(struct config *config, const char *key, const char *value,
	       struct reason *why);
int config_add_export(struct config *config, const struct spec *spec,
		      struct reason *why);
int config_load(struct config *config, const char *path, struct reason *why);

#endif /* RDMABLKD_CONFIG_H */
