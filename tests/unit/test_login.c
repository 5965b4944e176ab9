// SPDX-License-Identifier: GPL-2.0
/*
 * What a client has to prove, and what its MAC covers (target/login.c,
 * kmod/authmsg.c). The expected MACs were computed by another program from the
 * table in Documentation/protocol.rst.
 */
#include "test.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>

#include "login.h"
#include "macros.h"

static struct login login;
static struct secret secret;
static struct keyring_keys keys;
static uint8_t mac[RDMABLK_MAC_SIZE];

static struct sockaddr_in address(const char *text)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = 1 };

	inet_pton(AF_INET, text, &in.sin_addr);
	return in;
}

/* A handshake as far as AUTH, with every field set. */
static int setup(void **state)
{
	struct sockaddr_in client = address("192.0.2.1");
	struct sockaddr_in target = address("192.0.2.2");
	struct rdmablk_msg_hello hello = {
		.hdr = { .type = 1, .length = 200, .tag = 99 },
		.host_name = "client.example", .client_id = "db1",
	};
	struct rdmablk_msg_hello_reply reply = {
		.hdr = { .type = 0x8001, .length = 160, .tag = 99 },
		.target_name = "target.example", .auth_required = 1,
	};
	struct rdmablk_msg_auth auth = {
		.export = "disk", .access = RDMABLK_ACCESS_RW,
	};
	size_t i;

	(void)state;
	login_forget(&login);
	memset(&login, 0xff, sizeof(login));
	login.session_key = NULL;
	login.state = LOGIN_AWAITED;
	secret.len = 32;
	for (i = 0; i < 32; i++) {
		secret.bytes[i] = (uint8_t)(i + 1);
		hello.nonce[i] = (uint8_t)i;
		reply.nonce[i] = (uint8_t)(100 + i);
	}
	memset(hello.host_id, 7, sizeof(hello.host_id));
	rdmablk_auth_versions(&login.input, 1, 1, 1);
	rdmablk_auth_addrs(&login.input, (struct sockaddr *)&client,
			   (struct sockaddr *)&target);
	rdmablk_auth_hello(&login.input, &hello, &reply);
	rdmablk_auth_wish(&login.input, &auth);
	keys = (struct keyring_keys){ .nr = 1, .secret = { &secret } };
	return 0;
}

static const char *hex(const uint8_t bytes[static RDMABLK_MAC_SIZE])
{
	static char text[2 * RDMABLK_MAC_SIZE + 1];
	size_t i;

	for (i = 0; i < RDMABLK_MAC_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

static void prove(enum rdmablk_proof proof)
{
	rdmablk_auth_label(&login.input, proof);
	assert_int_equal(secret_mac(secret.bytes, secret.len, &login.input,
				    sizeof(login.input), mac), 0);
}

static bool accepted(void)
{
	return login_check(&login, &keys, mac) != NULL;
}

static void known_answers(void **state)
{
	struct rdmablk_cm_req req = {
		.magic = htole32(RDMABLK_MAGIC), .version_min = 1,
		.version_max = 1, .kind = RDMABLK_CONN_DATA,
		.session_id = htole64(0x1122334455667788), .hctx = htole16(3),
	};

	(void)state;
	prove(RDMABLK_PROOF_CLIENT);
	assert_string_equal(hex(mac),
		"ec1a32491c9714a1a8b395918d4a3a429a60f7a42b8693544436c255cf90ad44");
	assert_ptr_equal(login_check(&login, &keys, mac), &secret);
	assert_int_equal(login_answer(&login, &secret, mac), 0);
	assert_string_equal(hex(mac),
		"e925c50f31fa582d57cb74676cd26147ad7b6662e582651529dcb857feb417ed");
	assert_string_equal(hex(login.session_key),
		"b89992f2dbe0538dedb9e2cd3e50e82867a8c72fb1ad3b0ef628f3f9542c9391");
	secret_mac(login.session_key, 32, &req, RDMABLK_PROVEN_SIZE, req.proof);
	assert_string_equal(hex(req.proof),
		"3c069f30592923ee90dc963bd2c4a53a74c2f827ec9b4ce2ba205b1cee0c68a8");
	assert_true(login_admits(&login, &req));
}

/* Whatever either end sees differently makes the proof worthless. */
static void every_byte_counts(void **state)
{
	uint8_t *input = (uint8_t *)&login.input;
	size_t i;

	(void)state;
	prove(RDMABLK_PROOF_CLIENT);
	assert_true(accepted());
	/* The label is for the checker to say. */
	for (i = RDMABLK_LABEL_SIZE; i < sizeof(login.input); i++) {
		input[i] ^= 1;
		assert_false(accepted());
		input[i] ^= 1;
	}
	for (i = 0; i < sizeof(mac); i++) {
		mac[i] ^= 1;
		assert_false(accepted());
		mac[i] ^= 1;
	}
	assert_true(accepted());
}

static void a_reflected_proof(void **state)
{
	(void)state;
	prove(RDMABLK_PROOF_TARGET);
	assert_false(accepted());
	prove(RDMABLK_PROOF_SESSION);
	assert_false(accepted());
}

static void a_client_without_keys(void **state)
{
	static const struct secret zero = { .len = 32 };

	(void)state;
	prove(RDMABLK_PROOF_CLIENT);
	keys = (struct keyring_keys){ .nr = 0 };
	assert_false(accepted());
	/* Nor does it help to guess what is computed in their place. */
	secret = zero;
	prove(RDMABLK_PROOF_CLIENT);
	assert_false(accepted());
}

static void one_of_several_keys(void **state)
{
	static const struct secret other = { .len = 32, .bytes = { 5 } };

	(void)state;
	prove(RDMABLK_PROOF_CLIENT);
	keys = (struct keyring_keys){ .nr = 2, .secret = { &other, &secret } };
	assert_ptr_equal(login_check(&login, &keys, mac), &secret);
	keys = (struct keyring_keys){ .nr = 2, .secret = { &secret, &other } };
	assert_ptr_equal(login_check(&login, &keys, mac), &secret);
	keys = (struct keyring_keys){ .nr = 1, .secret = { &other } };
	assert_null(login_check(&login, &keys, mac));
}

static void what_was_proved_is_what_is_opened(void **state)
{
	struct rdmablk_msg_open open = {
		.export = "disk", .access = RDMABLK_ACCESS_RW,
	};

	(void)state;
	login.state = LOGIN_DONE;
	assert_true(login_covers(&login, &open));
	open.access = RDMABLK_ACCESS_RO;
	assert_false(login_covers(&login, &open));
	open.access = RDMABLK_ACCESS_RW;
	open.export[4] = '2';
	assert_false(login_covers(&login, &open));
	login.state = LOGIN_OPEN;
	assert_true(login_covers(&login, &open));
}

static void proofs_of_data_connections(void **state)
{
	struct rdmablk_cm_req req = { .session_id = 1 };

	(void)state;
	login.state = LOGIN_OPEN;
	assert_true(login_admits(&login, &req));
	req.proof[31] = 1;
	assert_false(login_admits(&login, &req));

	assert_int_equal(login_answer(&login, &secret, mac), 0);
	assert_false(login_admits(&login, &req));
	memset(req.proof, 0, sizeof(req.proof));
	assert_false(login_admits(&login, &req));
	secret_mac(login.session_key, 32, &req, RDMABLK_PROVEN_SIZE, req.proof);
	assert_true(login_admits(&login, &req));
	req.hctx = 1;
	assert_false(login_admits(&login, &req));
}

static void addresses(void **state)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = 9,
				    .sin6_scope_id = 3 };
	struct sockaddr_in four = address("192.0.2.1");
	struct sockaddr other = { .sa_family = AF_UNIX };

	(void)state;
	inet_pton(AF_INET6, "::ffff:192.0.2.1", &six.sin6_addr);
	rdmablk_auth_addrs(&login.input, (struct sockaddr *)&six,
			   (struct sockaddr *)&four);
	assert_memory_equal(login.input.client_addr, login.input.target_addr,
			    RDMABLK_ADDR_SIZE);
	rdmablk_auth_addrs(&login.input, &other, (struct sockaddr *)&four);
	assert_memory_equal(login.input.client_addr,
			    ((uint8_t[RDMABLK_ADDR_SIZE]){ 0 }),
			    RDMABLK_ADDR_SIZE);
}

/* Without memory for the session's key there is no session. */
static void no_memory(void **state)
{
	struct block {
		struct block	*next;
		size_t		size;
	} *all = NULL, *block;
	size_t size;

	(void)state;
	for (size = (size_t)1 << 20; size >= sizeof(*block); size /= 2)
		while ((block = secret_alloc(size))) {
			*block = (struct block){ all, size };
			all = block;
		}
	assert_int_equal(login_answer(&login, &secret, mac), -ENOMEM);
	assert_int_equal(login.state, LOGIN_AWAITED);
	while ((block = all)) {
		all = block->next;
		secret_free(block, block->size);
	}
	assert_int_equal(login_answer(&login, &secret, mac), 0);
}

static void forgotten(void **state)
{
	static const uint8_t zero[RDMABLK_MAC_SIZE];

	(void)state;
	assert_int_equal(login_answer(&login, &secret, mac), 0);
	assert_memory_not_equal(login.session_key, zero, sizeof(zero));
	login_forget(&login);
	assert_null(login.session_key);
	login_forget(&login);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(known_answers, setup),
		cmocka_unit_test_setup(every_byte_counts, setup),
		cmocka_unit_test_setup(a_reflected_proof, setup),
		cmocka_unit_test_setup(a_client_without_keys, setup),
		cmocka_unit_test_setup(one_of_several_keys, setup),
		cmocka_unit_test_setup(what_was_proved_is_what_is_opened, setup),
		cmocka_unit_test_setup(proofs_of_data_connections, setup),
		cmocka_unit_test_setup(addresses, setup),
		cmocka_unit_test_setup(no_memory, setup),
		cmocka_unit_test_setup(forgotten, setup),
	};

	return cmocka_run_group_tests_name("login", tests, NULL, NULL);
}
