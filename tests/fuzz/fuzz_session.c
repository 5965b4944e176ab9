// SPDX-License-Identifier: GPL-2.0
/*
 * What clients say to the daemon, in any order (target/handshake.c, login.c, open.c,
 * grant.c, flush.c, session.c, claim.c): four clients, two exports, a key, no card. An
 * input is a list of messages, each from one of the clients, which come back when they
 * are thrown out.
 *
 * Every answer must be one that the client's own checks take, whoever names a key must
 * have proved to have it before an export is opened, and in the end nothing may be left
 * of the sessions.
 */
#include <stdarg.h>
#include <sys/stat.h>

#include "config.h"
#include "file.h"
#include "macros.h"
#include "requests.h"
#include "../fixtures/talker.h"

#define CLIENTS		4
#define EXPORT_SIZE	"1M"
#define KEY_LINE	"key:YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=\n"

/**
 * struct client - a client
 * @talker: its connection
 * @open: what it asked for last
 * @type: of its latest message
 */
struct client {
	struct talker		talker;
	struct rdmablk_msg_open	open;
	unsigned int		type;
};

static struct config config;
static struct daemon daemon_;
static struct device device = {
	.daemon = &daemon_, .name = "card", .attr.max_qp = 1000,
	.attr.max_mw = 500,
};
static struct client clients[CLIENTS];

static struct session *session_behind(const struct client *client)
{
	return container_of(client->talker.ctrl, struct session, ctrl);
}

static void granted(const struct client *client, const void *msg)
{
	const struct login *login = &session_behind(client)->login;

	MUST(!rdmablk_check_grant(msg, &client->open));
	MUST(login->state == (login->input.hello.client_id[0] ? LOGIN_DONE :
								LOGIN_OPEN));
	MUST(login_covers(login, &client->open));
}

static void heard(struct talker *talker, const void *msg, size_t len)
{
	const struct client *client = container_of(talker, struct client, talker);
	const struct rdmablk_msg_hdr *hdr = msg;

	MUST(!rdmablk_check_hdr(msg, len));
	if (le16toh(hdr->type) == RDMABLK_MSG_EVENT) {
		MUST(!rdmablk_check_event(msg, len));
		return;
	}
	MUST(rdmablk_check_reply(msg, len, client->type) >= 0);
	if (client->type == RDMABLK_MSG_OPEN && !hdr->status)
		granted(client, msg);
}

/* ---- The daemon ---------------------------------------------------------- */

void log_at(int priority, const char *format, ...)
{
	(void)priority;
	(void)format;
}

void log_line(int priority, const char *format, va_list args)
{
	char line[1024];

	(void)priority;
	vsnprintf(line, sizeof(line), format, args);
}

bool log_allowed(struct log_limit *limit, int priority)
{
	(void)limit;
	(void)priority;
	return true;
}

void log_limited(struct log_limit *limit, int priority, const char *format, ...)
{
	va_list args;

	(void)limit;
	va_start(args, format);
	log_line(priority, format, args);
	va_end(args);
}

/* One of the exports has windows. */
static void make_region(struct export *export)
{
	static struct ibv_mr mr = { .rkey = 7 };
	static struct ibv_mr *mrs[1] = { &mr };
	struct region *region = calloc(1, sizeof(*region));

	MUST(region);
	region->device = &device;
	region->layout = &export->layout;
	region->windows = export->spec.shared_read;
	region->mr[FACE_RO] = mrs;
	region->mr[FACE_RW] = mrs;
	TAILQ_INSERT_TAIL(&export->regions, region, entry);
}

static void make_export(const char *text)
{
	struct export *export = calloc(1, sizeof(*export));
	struct reason why;

	MUST(export);
	export->daemon = &daemon_;
	export->state = EXPORT_READY;
	TAILQ_INIT(&export->regions);
	TAILQ_INIT(&export->claims);
	TAILQ_INIT(&export->watches);
	MUST(!spec_parse(&export->spec, text, &why));
	MUST(!store_open(&export->store, &export->spec, "/nonexistent", &why));
	MUST(!layout_cut(&export->layout, export->store.size,
			 export->spec.extent_size, UINT64_MAX, &why));
	MUST(!export_map(&export->store, &export->map, &why));
	make_region(export);
	TAILQ_INSERT_TAIL(&daemon_.exports, export, entry);
}

static void load_key(void)
{
	const char *path = file_with((const uint8_t *)KEY_LINE,
				     sizeof(KEY_LINE) - 1);
	struct reason why;

	MUST(!chmod(path, 0600));
	MUST(!keyring_load(&daemon_.keyring, path, &why));
}

static void bring_up(void)
{
	unsigned int n;

	config_init(&config);
	daemon_init(&daemon_, &config);
	load_key();
	config.allow_unauthenticated = true;
	for (n = 0; n < CLIENTS; n++)
		clients[n].talker.heard = heard;
	MUST(sd_event_new(&daemon_.event) >= 0);
	make_export("disk:size=" EXPORT_SIZE);
	make_export("shared:shared-read,size=" EXPORT_SIZE);
}

/* Has ended sessions be freed. */
static void run(void)
{
	while (sd_event_run(daemon_.event, 0) > 0)
		;
}

/* ---- Messages ------------------------------------------------------------ */

/* What chance would take too long to find: names, numbers within limits, proofs. */
static void mend_hello(struct rdmablk_msg_hello *hello, bool with_key)
{
	memset(hello->host_name, 0, sizeof(hello->host_name));
	memset(hello->client_id, 0, sizeof(hello->client_id));
	strcpy(hello->host_name, "host");
	if (with_key)
		strcpy(hello->client_id, "key");
	hello->host_id[0] |= 1;
}

static void mend_open(struct rdmablk_msg_open *open, const char *export)
{
	memset(open->export, 0, sizeof(open->export));
	strcpy(open->export, export);
	open->access = open->access % 2 + 1;
	open->flags &= RDMABLK_OPEN_FORCE;
	open->nr_queues = htole16(1 + le16toh(open->nr_queues) % 256);
	open->queue_depth = htole32(1 + le32toh(open->queue_depth) % 4096);
	open->max_io_size |= htole32(RDMABLK_MAX_IO_MIN);
}

static void mend_auth(const struct client *client, struct rdmablk_msg_auth *auth,
		      const char *export)
{
	struct rdmablk_auth_input input = session_behind(client)->login.input;
	struct keyring_keys keys;

	memset(auth->export, 0, sizeof(auth->export));
	strcpy(auth->export, export);
	auth->access = auth->access % 2 + 1;
	memset(auth->reserved, 0, sizeof(auth->reserved));
	rdmablk_auth_wish(&input, auth);
	rdmablk_auth_label(&input, RDMABLK_PROOF_CLIENT);
	keyring_find(daemon_.keyring, "key", &keys);
	MUST(!secret_mac(keys.secret[0]->bytes, keys.secret[0]->len, &input,
			 sizeof(input), auth->mac));
}

static void mend(const struct client *client, void *message, uint8_t how)
{
	const char *export = how & 0x10 ? "disk" : "shared";

	switch (requests[how % NR_REQUESTS].type) {
	case RDMABLK_MSG_HELLO:
		mend_hello(message, how & 0x10);
		break;
	case RDMABLK_MSG_OPEN:
		mend_open(message, export);
		break;
	case RDMABLK_MSG_AUTH:
		mend_auth(client, message, export);
		break;
	}
}

static void say(struct client *client, struct input *in)
{
	uint8_t how = input_byte(in);
	struct wire wire = wire_take(in, how, requests[how % NR_REQUESTS].type,
				     requests[how % NR_REQUESTS].size);

	if (!(how & (WIRE_RAW | WIRE_ODD | 0x20)))
		mend(client, wire.message, how);
	if (wire.length >= sizeof(struct rdmablk_msg_hdr))
		client->type = le16toh(*(uint16_t *)wire.message) &
			       ~(unsigned int)RDMABLK_MSG_REPLY;
	if (wire.length == sizeof(client->open))
		memcpy(&client->open, wire.message, sizeof(client->open));
	talker_say(&client->talker, wire.message, wire.length);
	free(wire.message);
}

static void nothing_left(void)
{
	struct export *export;

	MUST(TAILQ_EMPTY(&daemon_.sessions));
	MUST(!daemon_.nr_sessions && !daemon_.nr_half_open);
	MUST(!device.nr_queues && !device.nr_windows);
	TAILQ_FOREACH(export, &daemon_.exports, entry)
		MUST(TAILQ_EMPTY(&export->claims));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	unsigned int n;

	if (!daemon_.event)
		bring_up();
	while (in.left) {
		uint8_t who = input_byte(&in);
		struct client *client = &clients[who % CLIENTS];

		/* They come from two hosts. */
		if (!client->talker.ctrl)
			MUST(!talker_connect(&client->talker, &device,
					     who % 2 + 1));
		if (who & 0x80)
			talker_hang_up(&client->talker);
		else
			say(client, &in);
		run();
	}
	for (n = 0; n < CLIENTS; n++)
		talker_hang_up(&clients[n].talker);
	run();
	nothing_left();
	return 0;
}
