// SPDX-License-Identifier: GPL-2.0
/*
 * rdmablkd, the target daemon of rdmablk: brings its parts up in order, runs
 * the event loop, and takes them down again.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "control.h"
#include "device.h"
#include "directory.h"
#include "export.h"
#include "hotplug.h"
#include "http.h"
#include "keyring.h"
#include "listener.h"
#include "log.h"
#include "options.h"
#include "peer.h"
#include "shutdown.h"
#include "startup.h"
#include "version.h"

#define EXIT_USAGE	2

static int fail(const struct reason *why, int code)
{
	log_error("%s", why->message);
	if (why->hint[0])
		log_notice("hint: %s", why->hint);
	return code;
}

/* Before any thread is there, so that none of them gets the signals. */
static void block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* A limit on the size of files is an error like others. */
	signal(SIGXFSZ, SIG_IGN);
}

/* Whom to trust. Without a word of the operator nobody gets anything. */
static int load_keys(struct daemon *daemon, struct reason *why)
{
	const struct config *config = daemon->config;
	int err = 0;

	if (config->key_file_named || !access(config->key_file, F_OK))
		err = keyring_load(&daemon->keyring, config->key_file, why);
	if (err)
		return err;
	if (daemon->keyring)
		log_info("keys of clients in %s: %u", config->key_file,
			 keyring_size(daemon->keyring));
	if (config->allow_unauthenticated) {
		log_warning("clients without a key are admitted: whoever reaches this host can read and write the exports that have no access rules, or rules for any");
		return 0;
	}
	if (daemon->keyring)
		return 0;
	reason_set(why, -EPERM, "there is no file of keys to authenticate clients, %s: not starting",
		   config->key_file);
	reason_hint(why, "'rbdctl key generate' makes keys; if every host that reaches this one is trusted, --allow-unauthenticated does without");
	return -EPERM;
}

/* The lock, kept open until the process ends. */
static int take_state_dir(const struct config *config, struct reason *why)
{
	char exports[sizeof(config->state_dir) + sizeof("/exports")];
	int fd, err;

	err = directory_make(config->state_dir, 0700, why);
	if (err)
		return err;
	fd = directory_lock(config->state_dir, why);
	if (fd < 0)
		return fd;
	snprintf(exports, sizeof(exports), "%s/exports", config->state_dir);
	return directory_make(exports, 0700, why);
}

/* The socket need not be in the state directory; its parent may be anybody's. */
static int make_socket_dir(const struct config *config, struct reason *why)
{
	char dir[sizeof(config->socket)];
	char *slash;

	memcpy(dir, config->socket, sizeof(dir));
	slash = strrchr(dir, '/');
	if (!slash || slash == dir)
		return 0;
	*slash = '\0';
	if (!mkdir(dir, 0755) || errno == EEXIST)
		return 0;
	return reason_set(why, -errno, "cannot make directory %s: %m", dir);
}

static int bring_up(struct daemon *daemon, struct reason *why)
{
	int err = sd_event_default(&daemon->event);

	if (err < 0)
		return reason_set(why, err, "no event loop: %s",
				  strerror(-err));
	err = shutdown_arm(daemon, why);
	if (!err)
		err = hotplug_open(daemon, why);
	if (!err)
		err = listener_open(daemon, why);
	if (!err)
		err = control_open(daemon, why);
	if (!err)
		err = http_open(daemon, why);
	if (!err)
		err = startup_exports(daemon, why);
	if (!err)
		err = listener_start(daemon, why);
	return err;
}

static void take_down(struct daemon *daemon, int code)
{
	struct device *device, *next;

	http_close(daemon);
	control_close(daemon);
	/* Past the deadline threads still work: what is left is the kernel's. */
	if (!TAILQ_EMPTY(&daemon->sessions) || !TAILQ_EMPTY(&daemon->exports))
		_exit(code);
	listener_close(daemon);
	hotplug_close(daemon);
	TAILQ_FOREACH_SAFE(device, &daemon->devices, entry, next)
		device_close(device);
	device_forget_listed(daemon);
	peer_free_all(daemon);
	daemon->event = sd_event_unref(daemon->event);
}

static int run(struct daemon *daemon)
{
	struct reason why;
	int code = EXIT_SUCCESS;

	if (bring_up(daemon, &why)) {
		code = fail(&why, EXIT_FAILURE);
		/* What was started before has to be stopped in order. */
		if (daemon->listener && !TAILQ_EMPTY(&daemon->exports))
			shutdown_start(daemon, code);
	}
	if (code == EXIT_SUCCESS || daemon->stopping)
		code = sd_event_loop(daemon->event);
	if (code < 0)
		log_error("event loop: %s", strerror(-code));
	code = code < 0 ? EXIT_FAILURE : code;
	take_down(daemon, code);
	return code;
}

static int start(const struct config *config)
{
	struct daemon daemon;
	struct reason why;
	int code;

	daemon_init(&daemon, config);
	log_info("version %s", RDMABLK_VERSION);
	if (load_keys(&daemon, &why) || take_state_dir(config, &why) ||
	    make_socket_dir(config, &why))
		code = fail(&why, EXIT_FAILURE);
	else
		code = run(&daemon);
	keyring_free(daemon.keyring);
	return code;
}

int main(int argc, char **argv)
{
	struct config config;
	struct reason why;
	int code = EXIT_SUCCESS;

	log_init("rdmablkd");
	block_signals();
	switch (options_parse(&config, argc, argv, &why)) {
	case OPTIONS_DONE:
		break;
	case OPTIONS_BAD:
		code = fail(&why, EXIT_USAGE);
		break;
	case OPTIONS_RUN:
		code = start(&config);
		break;
	}
	config_free(&config);
	return code;
}
