// SPDX-License-Identifier: GPL-2.0
/*
 * The limit that a block device is held against: RDMA READ or WRITE of one size
 * at one depth, with nothing around them. Both ends are in this process. Each job
 * has a QP and a thread, which sleeps on completion events, and posts what takes
 * the place of all that has completed with one doorbell. The thread stays on one
 * processor: Soft-RoCE sends from where was posted, so that packets of a QP whose
 * thread moves overtake each other, which it takes for a loss.
 *
 * Prints one line of JSON, in the words of the bench's results.
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "latency.h"

#define PORT		"7471"
#define ATOMIC_MAX	128	/* READs in flight; fits the connection's byte */

/**
 * struct slot - one transfer in flight
 * @wr: its work request
 * @sge: where its data are
 * @begun: when it was posted, ns
 */
struct slot {
	struct ibv_send_wr	wr;
	struct ibv_sge		sge;
	uint64_t		begun;
};

/**
 * struct job - one submitter
 * @thread: runs it
 * @index: of all jobs
 * @id: the client's end of its connection
 * @slots: as many as the depth
 * @random: state of its generator
 * @next: offset of its next transfer, if they are sequential
 * @in_flight: transfers that are posted, or about to be
 * @done: those that have completed
 * @latency: how long they took
 */
struct job {
	pthread_t		thread;
	unsigned int		index;
	struct rdma_cm_id	*id;
	struct slot		*slots;
	uint64_t		random;
	uint64_t		next;
	unsigned int		in_flight;
	uint64_t		done;
	struct latency		latency;
};

static struct {
	const char		*address;
	bool			write;
	bool			sequential;
	uint32_t		size;
	unsigned int		depth;
	unsigned int		jobs;
	double			seconds;
	uint64_t		region;
} opt = { "192.0.2.1", false, false, 4096, 1, 1, 3, 256 << 20 };

/* The target's memory: what a client would learn in a handshake. */
static struct ibv_mr *target;
static struct rdma_cm_id *listener;
static atomic_bool stop;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* The processor of a set that is so many after its first one, in turns. */
static int nth_cpu(const cpu_set_t *cpus, unsigned int n)
{
	int cpu = 0;

	n %= CPU_COUNT(cpus);
	while (!CPU_ISSET(cpu, cpus) || n--)
		cpu++;
	return cpu;
}

/* Has this thread stay on one of the processors that it may use. */
static void pin(unsigned int turn)
{
	cpu_set_t cpus;
	int cpu;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot find the processors");
	cpu = nth_cpu(&cpus, turn);
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot stay on processor %d", cpu);
}

static void *memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED)
		err(1, "cannot allocate %zu bytes", size);
	return p;
}

static struct ibv_qp_init_attr qp_attr(void)
{
	return (struct ibv_qp_init_attr) {
		.cap.max_send_wr	= opt.depth + 1,
		.cap.max_recv_wr	= 1,
		.cap.max_send_sge	= 1,
		.cap.max_recv_sge	= 1,
		.qp_type		= IBV_QPT_RC,
		.sq_sig_all		= 1,
	};
}

static struct rdma_conn_param conn_param(void)
{
	return (struct rdma_conn_param) {
		.initiator_depth	= ATOMIC_MAX,
		.responder_resources	= ATOMIC_MAX,
		.retry_count		= 7,
		.rnr_retry_count	= 7,
	};
}

/* ---- The target: takes no part, once it has accepted. */

static void target_listen(void)
{
	struct rdma_addrinfo hints = {
		.ai_flags = RAI_PASSIVE, .ai_port_space = RDMA_PS_TCP,
	};
	struct ibv_qp_init_attr attr = qp_attr();
	struct rdma_addrinfo *info;

	if (rdma_getaddrinfo(opt.address, PORT, &hints, &info))
		err(1, "no RDMA address: %s", opt.address);
	if (rdma_create_ep(&listener, info, NULL, &attr) ||
	    rdma_listen(listener, opt.jobs))
		err(1, "cannot listen on %s", opt.address);
	rdma_freeaddrinfo(info);
	target = ibv_reg_mr(listener->pd, memory(opt.region), opt.region,
			    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
			    IBV_ACCESS_REMOTE_WRITE);
	if (!target)
		err(1, "cannot register %llu bytes",
		    (unsigned long long)opt.region);
}

static void *target_accept(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < opt.jobs; i++) {
		struct rdma_conn_param param = conn_param();
		struct rdma_cm_id *id;

		if (rdma_get_request(listener, &id) || rdma_accept(id, &param))
			err(1, "cannot accept");
	}
	return NULL;
}

/* ---- The client. */

static void job_connect(struct job *job)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP };
	struct rdma_conn_param param = conn_param();
	struct ibv_qp_init_attr attr = qp_attr();
	struct rdma_addrinfo *info;

	if (rdma_getaddrinfo(opt.address, PORT, &hints, &info) ||
	    rdma_create_ep(&job->id, info, NULL, &attr) ||
	    rdma_connect(job->id, &param))
		err(1, "cannot connect to %s", opt.address);
	rdma_freeaddrinfo(info);
}

static void job_prepare(struct job *job, unsigned int index)
{
	size_t size = (size_t)opt.depth * opt.size;
	char *data = memory(size);
	struct ibv_mr *mr = ibv_reg_mr(job->id->pd, data, size,
				       IBV_ACCESS_LOCAL_WRITE);

	job->index = index;
	job->random = 88172645463325252ULL + index;
	job->next = opt.region / opt.jobs * index / opt.size * opt.size;
	job->slots = calloc(opt.depth, sizeof(*job->slots));
	if (!mr || !job->slots)
		err(1, "cannot register %zu bytes", size);
	for (unsigned int i = 0; i < opt.depth; i++) {
		struct slot *slot = &job->slots[i];

		slot->sge.addr = (uintptr_t)data + (size_t)i * opt.size;
		slot->sge.length = opt.size;
		slot->sge.lkey = mr->lkey;
		slot->wr.wr_id = i;
		slot->wr.sg_list = &slot->sge;
		slot->wr.num_sge = 1;
		slot->wr.opcode = opt.write ? IBV_WR_RDMA_WRITE :
					      IBV_WR_RDMA_READ;
		slot->wr.wr.rdma.rkey = target->rkey;
	}
}

static uint64_t job_offset(struct job *job)
{
	uint64_t offset = job->next;

	if (opt.sequential) {
		job->next = (offset + opt.size) % opt.region;
		return offset;
	}
	job->random ^= job->random << 13;
	job->random ^= job->random >> 7;
	job->random ^= job->random << 17;
	return job->random % (opt.region / opt.size) * opt.size;
}

/* Puts a slot's next transfer at the end of a chain. */
static struct ibv_send_wr **job_chain(struct job *job, struct slot *slot,
				      struct ibv_send_wr **tail)
{
	slot->wr.wr.rdma.remote_addr = (uintptr_t)target->addr + job_offset(job);
	slot->wr.next = NULL;
	slot->begun = now_ns();
	job->in_flight++;
	*tail = &slot->wr;
	return &slot->wr.next;
}

static void job_post(struct job *job, struct ibv_send_wr *chain)
{
	struct ibv_send_wr *bad;
	int status = chain ? ibv_post_send(job->id->qp, chain, &bad) : 0;

	if (status)
		errx(1, "cannot post: %s", strerror(status));
}

static void job_sleep(struct job *job)
{
	struct ibv_cq *cq;
	void *context;

	if (ibv_get_cq_event(job->id->send_cq_channel, &cq, &context))
		err(1, "no completion event");
	ibv_ack_cq_events(cq, 1);
}

/* What completed, and a chain of what takes its place; returns how many. */
static int job_reap(struct job *job, struct ibv_send_wr **tail)
{
	struct ibv_wc wc[32];
	int n = ibv_poll_cq(job->id->send_cq, 32, wc);

	if (n < 0)
		errx(1, "cannot poll");
	for (int i = 0; i < n; i++) {
		struct slot *slot = &job->slots[wc[i].wr_id];

		if (wc[i].status != IBV_WC_SUCCESS)
			errx(1, "a transfer failed: %s",
			     ibv_wc_status_str(wc[i].status));
		latency_add(&job->latency, now_ns() - slot->begun);
		job->done++;
		job->in_flight--;
		if (!stop)
			tail = job_chain(job, slot, tail);
	}
	return n;
}

static void *job_run(void *arg)
{
	struct job *job = arg;
	struct ibv_send_wr *chain = NULL, **tail = &chain;

	pin(job->index);
	for (unsigned int i = 0; i < opt.depth; i++)
		tail = job_chain(job, &job->slots[i], tail);
	ibv_req_notify_cq(job->id->send_cq, 0);
	job_post(job, chain);
	while (job->in_flight) {
		chain = NULL;
		if (job_reap(job, &chain)) {
			job_post(job, chain);
		} else {
			/* Look again once it is armed: one may have been missed. */
			job_sleep(job);
			ibv_req_notify_cq(job->id->send_cq, 0);
		}
	}
	return NULL;
}

/* ---- */

static void report(struct job *jobs, uint64_t elapsed)
{
	static struct latency all;
	uint64_t done = 0;

	for (unsigned int i = 0; i < opt.jobs; i++) {
		done += jobs[i].done;
		latency_merge(&all, &jobs[i].latency);
	}
	printf("{\"ios\":%llu,\"iops\":%.1f,\"mean_us\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f}\n",
	       (unsigned long long)done, done * 1e9 / elapsed, latency_mean(&all) / 1e3,
	       latency_percentile(&all, 0.5) / 1e3,
	       latency_percentile(&all, 0.99) / 1e3,
	       latency_percentile(&all, 0.999) / 1e3);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value = strtoull(text, &end, 10);

	if (*end == 'k' || *end == 'm')
		value <<= *end++ == 'k' ? 10 : 20;
	if (*end || !value)
		errx(2, "not a number: '%s'", text);
	return value;
}

static void parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "a:wsb:d:j:t:r:")) != -1) {
		switch (c) {
		case 'a': opt.address = optarg; break;
		case 'w': opt.write = true; break;
		case 's': opt.sequential = true; break;
		case 'b': opt.size = number(optarg); break;
		case 'd': opt.depth = number(optarg); break;
		case 'j': opt.jobs = number(optarg); break;
		case 't': opt.seconds = strtod(optarg, NULL); break;
		case 'r': opt.region = number(optarg); break;
		default:
			errx(2, "usage: verbs [-a ADDRESS] [-w] [-s] [-b SIZE] [-d DEPTH] [-j JOBS] [-t SECONDS] [-r REGION]");
		}
	}
}

int main(int argc, char **argv)
{
	struct timespec run;
	struct job *jobs;
	pthread_t acceptor;
	uint64_t begun;

	parse(argc, argv);
	run.tv_sec = opt.seconds;
	run.tv_nsec = (opt.seconds - run.tv_sec) * 1e9;
	jobs = calloc(opt.jobs, sizeof(*jobs));
	if (!jobs)
		err(1, "jobs");
	target_listen();
	pthread_create(&acceptor, NULL, target_accept, NULL);
	for (unsigned int i = 0; i < opt.jobs; i++) {
		job_connect(&jobs[i]);
		job_prepare(&jobs[i], i);
	}
	pthread_join(acceptor, NULL);

	begun = now_ns();
	for (unsigned int i = 0; i < opt.jobs; i++)
		pthread_create(&jobs[i].thread, NULL, job_run, &jobs[i]);
	nanosleep(&run, NULL);
	stop = true;
	for (unsigned int i = 0; i < opt.jobs; i++)
		pthread_join(jobs[i].thread, NULL);
	report(jobs, now_ns() - begun);
	return 0;
}
