// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's figures (target/metrics*.c, http.c): what is served is OpenMetrics, the
 * control socket tells the same, and HTTP is spoken as it should be.
 */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "bucket.h"
#include "fixture_export.h"
#include "http.h"
#include "macros.h"
#include "metrics.h"

#define FLUSH_US	3000
#define SLOW		40U	/* clients */

static char *text;

static void flushed(void)
{
	struct writeback_stats *stats = &export->writeback->stats;

	stats->rounds = 1;
	stats->flushes = 1;
	stats->written = 8192;
	stats->took_us = FLUSH_US;
	stats->took.buckets[rdmablk_bucket(FLUSH_US * 1000)] = 1;
}

static int begin_flushed(void **state)
{
	struct spec spec;

	if (begin(state))
		return -1;
	specify(&spec, "file");
	open_export(&spec);
	dirty_mark(&export->writeback->dirty, 0, MIB, 4096);
	flushed();
	daemon_.counters.refused[RDMABLK_E_DENIED] = 3;
	text = metrics_text(&daemon_);
	return text ? 0 : -1;
}

static int end_removed(void **state)
{
	free(text);
	export_remove(export, true);
	run_until(EXPORT_EVENT_GONE);
	return end(state);
}

/* ---- The text -------------------------------------------------------------- */

/* Is this line a sample of that family? Its suffix goes with the type. */
static bool belongs(const char *line, const char *name, const char *type)
{
	static const struct {
		const char *type, *suffix;
	} suffixes[] = {
		{ "gauge", "" }, { "counter", "_total" }, { "info", "_info" },
		{ "histogram", "_bucket" }, { "histogram", "_count" },
		{ "histogram", "_sum" },
	};
	size_t len = strlen(name), i, n;

	if (strncmp(line, name, len))
		return false;
	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		n = strlen(suffixes[i].suffix);
		if (!strcmp(type, suffixes[i].type) &&
		    !strncmp(line + len, suffixes[i].suffix, n) &&
		    strchr(" {", line[len + n]))
			return true;
	}
	return false;
}

/* One value, and labels whose quotes match. */
static void assert_sample(const char *line)
{
	const char *labels = strchr(line, '{');
	const char *value = labels ? strchr(labels, '}') + 1 : strchr(line, ' ');
	char *rest;

	assert_non_null(value);
	assert_int_equal(*value, ' ');
	strtod(value + 1, &rest);
	assert_ptr_not_equal(rest, value + 1);
	assert_int_equal(*rest, '\0');
}

static void is_openmetrics(void **state)
{
	char name[128] = "", type[32] = "", seen[4096] = " ";
	char *line, *rest = NULL;
	bool end_seen = false;

	(void)state;
	assert_int_equal(text[strlen(text) - 1], '\n');
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char word[160];

		assert_false(end_seen);
		if (!strcmp(line, "# EOF")) {
			end_seen = true;
		} else if (!strncmp(line, "# TYPE ", 7)) {
			assert_int_equal(sscanf(line + 7, "%127s %31s", name,
						type), 2);
			/* Each family once, and all of it together. */
			snprintf(word, sizeof(word), " %s ", name);
			assert_null(strstr(seen, word));
			strcat(strcat(seen, name), " ");
		} else if (!strncmp(line, "# UNIT ", 7)) {
			assert_int_equal(sscanf(line + 7, "%*s %31s", word), 1);
			assert_string_equal(name + strlen(name) - strlen(word),
					    word);
		} else if (strncmp(line, "# HELP ", 7)) {
			assert_true(belongs(line, name, type));
			assert_sample(line);
		}
	}
	assert_true(end_seen);
}

static void has_the_figures(void **state)
{
	(void)state;
	assert_contains(text, "\nrdmablkd_sessions 0\n");
	assert_contains(text, "\nrdmablkd_refusals_total{reason=\"denied\"} 3\n");
	assert_contains(text, "\nrdmablkd_refusals_total{reason=\"limit\"} 0\n");
	assert_contains(text, "\nrdmablkd_export_size_bytes{export=\"x\"} 4194304\n");
	assert_contains(text, "\nrdmablkd_export_dirty_bytes{export=\"x\"} 1048576\n");
	assert_contains(text, "\nrdmablkd_export_written_bytes_total{export=\"x\"} 8192\n");
	assert_contains(text, "\nrdmablkd_export_failed{export=\"x\"} 0\n");
}

static void tells_flushes(void **state)
{
	(void)state;
	/* Two octaves from 32.8 us on: 3 ms is below 8.4, not below 2.1. */
	assert_contains(text, "_bucket{export=\"x\",le=\"0.002097152\"} 0\n");
	assert_contains(text, "_bucket{export=\"x\",le=\"0.008388608\"} 1\n");
	assert_contains(text, "_bucket{export=\"x\",le=\"+Inf\"} 1\n");
	assert_contains(text, "_flush_seconds_count{export=\"x\"} 1\n");
	assert_contains(text, "_flush_seconds_sum{export=\"x\"} 0.003000\n");
}

static void resizing_has_less(void **state)
{
	char *less;

	(void)state;
	export->state = EXPORT_RESIZING;
	less = metrics_text(&daemon_);
	export->state = EXPORT_READY;
	assert_contains(less, "rdmablkd_export_ready{export=\"x\"} 0\n");
	assert_null(strstr(less, "rdmablkd_export_dirty_bytes{"));
	assert_null(strstr(less, "rdmablkd_export_registered_bytes{"));
	assert_null(strstr(less, "flush_seconds_count{"));
	free(less);
}

/* ---- The control socket's -------------------------------------------------- */

static uint64_t number(struct json_object *object, const char *key)
{
	struct json_object *value;

	assert_true(json_object_object_get_ex(object, key, &value));
	return json_object_get_uint64(value);
}

static void json_is_the_same(void **state)
{
	struct json_object *all = metrics_json(&daemon_), *one, *flushes;

	(void)state;
	assert_int_equal(number(all, "sessions"), 0);
	assert_int_equal(number(json_object_object_get(all, "refusals"),
				"denied"), 3);
	one = json_object_array_get_idx(json_object_object_get(all, "exports"), 0);
	assert_int_equal(number(one, "dirty_bytes"), MIB);
	assert_int_equal(number(one, "written_bytes"), 8192);
	flushes = json_object_object_get(one, "flushes");
	assert_int_equal(number(flushes, "count"), 1);
	assert_int_equal(number(flushes, "mean_us"), FLUSH_US);
	json_object_put(all);
}

/* ---- HTTP ------------------------------------------------------------------ */

/* One that nobody listens on. */
static uint16_t free_port(struct sockaddr_in *addr)
{
	socklen_t len = sizeof(*addr);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*addr = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	assert_int_equal(bind(fd, (struct sockaddr *)addr, len), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)addr, &len), 0);
	close(fd);
	return ntohs(addr->sin_port);
}

/* All that is answered, until the server has said it all. */
static const char *ask(const struct sockaddr_in *addr, const char *request)
{
	static char answer[65536];
	uint64_t deadline = clock_now_us() + DEADLINE_US;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	size_t len = 0;
	ssize_t got;

	assert_int_equal(connect(fd, (const struct sockaddr *)addr,
				 sizeof(*addr)), 0);
	assert_int_equal(send(fd, request, strlen(request), 0), strlen(request));
	do {
		assert_true(clock_now_us() < deadline);
		assert_true(sd_event_run(daemon_.event, 10000) >= 0);
		got = recv(fd, answer + len, sizeof(answer) - 1 - len,
			   MSG_DONTWAIT);
		len += got > 0 ? (size_t)got : 0;
	} while (got);
	answer[len] = '\0';
	close(fd);
	return answer;
}

static void speaks_http(void **state)
{
	struct sockaddr_in addr;
	const char *got;

	(void)state;
	strcpy(config.metrics.host, CONFIG_METRICS_HOST);
	config.metrics.port = free_port(&addr);
	assert_int_equal(http_open(&daemon_, &why), 0);

	got = ask(&addr, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	assert_contains(got, "HTTP/1.1 200 OK");
	assert_contains(got, "application/openmetrics-text; version=1.0.0");
	assert_contains(got, "\nrdmablkd_sessions 0\n");
	assert_contains(got, "# EOF\n");
	got = ask(&addr, "GET /x HTTP/1.0\r\n\r\n");
	assert_contains(got, " 404 ");
	got = ask(&addr, "DELETE /metrics HTTP/1.0\r\n\r\n");
	assert_contains(got, " 405 ");
	got = ask(&addr, "what is this?\r\n\r\n");
	assert_contains(got, " 400 ");

	/* Somebody else has the port. */
	{
		struct daemon other = {
			.config = &config, .event = daemon_.event,
		};

		assert_int_equal(http_open(&other, &why), -EADDRINUSE);
		assert_contains(why.message, "127.0.0.1");
		http_close(&other);
	}
	http_close(&daemon_);
	config.metrics.port = 0;
}

/* Who does not say what it wants keeps nobody out, and has not even to be idle. */
static void who_waits_makes_room(void **state)
{
	uint64_t deadline = clock_now_us() + DEADLINE_US / 4;
	struct sockaddr_in addr;
	int fd[SLOW];
	unsigned int i;
	char byte;

	(void)state;
	strcpy(config.metrics.host, CONFIG_METRICS_HOST);
	config.metrics.port = free_port(&addr);
	assert_int_equal(http_open(&daemon_, &why), 0);
	for (i = 0; i < SLOW; i++) {
		fd[i] = socket(AF_INET, SOCK_STREAM, 0);
		assert_int_equal(connect(fd[i], (struct sockaddr *)&addr,
					 sizeof(addr)), 0);
		assert_int_equal(send(fd[i], "GET ", 4, 0), 4);
	}
	while (recv(fd[SLOW - 17], &byte, 1, MSG_DONTWAIT)) {
		assert_true(clock_now_us() < deadline);
		assert_true(sd_event_run(daemon_.event, 10000) >= 0);
	}
	assert_contains(ask(&addr, "GET /metrics HTTP/1.0\r\n\r\n"), "200 OK");
	assert_true(clock_now_us() < deadline);
	/* The others have not been disturbed. */
	assert_int_equal(recv(fd[SLOW - 1], &byte, 1, MSG_DONTWAIT), -1);
	assert_int_equal(errno, EAGAIN);
	for (i = 0; i < SLOW; i++)
		close(fd[i]);
	http_close(&daemon_);
	config.metrics.port = 0;
}

static void off_by_default(void **state)
{
	(void)state;
	assert_int_equal(http_open(&daemon_, &why), 0);
	assert_null(daemon_.http);
}

#define METRICS(test) \
	cmocka_unit_test_setup_teardown(test, begin_flushed, end_removed)

int main(void)
{
	const struct CMUnitTest tests[] = {
		METRICS(is_openmetrics),
		METRICS(has_the_figures),
		METRICS(tells_flushes),
		METRICS(resizing_has_less),
		METRICS(json_is_the_same),
		METRICS(speaks_http),
		METRICS(who_waits_makes_room),
		METRICS(off_by_default),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
