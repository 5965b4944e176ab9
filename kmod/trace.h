/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints: what devices, connections and requests go through. See
 * /sys/kernel/tracing/events/rdmablk.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rdmablk

#if !defined(RDMABLK_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RDMABLK_TRACE_H

#include <linux/tracepoint.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>

#include "dev.h"
#include "io.h"

/* So that programs that read a trace know their values. */
TRACE_DEFINE_ENUM(RDMABLK_STATE_CONNECTING);
TRACE_DEFINE_ENUM(RDMABLK_STATE_LIVE);
TRACE_DEFINE_ENUM(RDMABLK_STATE_RECOVERING);
TRACE_DEFINE_ENUM(RDMABLK_STATE_FAILED);
TRACE_DEFINE_ENUM(RDMABLK_STATE_DELETING);
TRACE_DEFINE_ENUM(RDMABLK_STATE_GONE);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ADDR_RESOLVED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ADDR_ERROR);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ROUTE_RESOLVED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ROUTE_ERROR);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_CONNECT_ERROR);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_UNREACHABLE);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_REJECTED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ESTABLISHED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_DISCONNECTED);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_DEVICE_REMOVAL);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_ADDR_CHANGE);
TRACE_DEFINE_ENUM(RDMA_CM_EVENT_TIMEWAIT_EXIT);
TRACE_DEFINE_ENUM(IB_WC_SUCCESS);
TRACE_DEFINE_ENUM(IB_WC_LOC_LEN_ERR);
TRACE_DEFINE_ENUM(IB_WC_LOC_QP_OP_ERR);
TRACE_DEFINE_ENUM(IB_WC_LOC_PROT_ERR);
TRACE_DEFINE_ENUM(IB_WC_WR_FLUSH_ERR);
TRACE_DEFINE_ENUM(IB_WC_REM_INV_REQ_ERR);
TRACE_DEFINE_ENUM(IB_WC_REM_ACCESS_ERR);
TRACE_DEFINE_ENUM(IB_WC_REM_OP_ERR);
TRACE_DEFINE_ENUM(IB_WC_RETRY_EXC_ERR);
TRACE_DEFINE_ENUM(IB_WC_RNR_RETRY_EXC_ERR);
TRACE_DEFINE_ENUM(IB_WC_FATAL_ERR);
TRACE_DEFINE_ENUM(IB_WC_GENERAL_ERR);

#define rdmablk_show_state(state)					\
	__print_symbolic(state,						\
		{ RDMABLK_STATE_CONNECTING,	"connecting" },		\
		{ RDMABLK_STATE_LIVE,		"live" },		\
		{ RDMABLK_STATE_RECOVERING,	"recovering" },		\
		{ RDMABLK_STATE_FAILED,		"failed" },		\
		{ RDMABLK_STATE_DELETING,	"deleting" },		\
		{ RDMABLK_STATE_GONE,		"gone" })

#define rdmablk_show_op(op)						\
	__print_symbolic(op, { READ, "read" }, { WRITE, "write" })

#define rdmablk_show_cm_event(event)					\
	__print_symbolic(event,						\
		{ RDMA_CM_EVENT_ADDR_RESOLVED,	"ADDR_RESOLVED" },	\
		{ RDMA_CM_EVENT_ADDR_ERROR,	"ADDR_ERROR" },		\
		{ RDMA_CM_EVENT_ROUTE_RESOLVED,	"ROUTE_RESOLVED" },	\
		{ RDMA_CM_EVENT_ROUTE_ERROR,	"ROUTE_ERROR" },	\
		{ RDMA_CM_EVENT_CONNECT_ERROR,	"CONNECT_ERROR" },	\
		{ RDMA_CM_EVENT_UNREACHABLE,	"UNREACHABLE" },	\
		{ RDMA_CM_EVENT_REJECTED,	"REJECTED" },		\
		{ RDMA_CM_EVENT_ESTABLISHED,	"ESTABLISHED" },	\
		{ RDMA_CM_EVENT_DISCONNECTED,	"DISCONNECTED" },	\
		{ RDMA_CM_EVENT_DEVICE_REMOVAL,	"DEVICE_REMOVAL" },	\
		{ RDMA_CM_EVENT_ADDR_CHANGE,	"ADDR_CHANGE" },	\
		{ RDMA_CM_EVENT_TIMEWAIT_EXIT,	"TIMEWAIT_EXIT" })

#define rdmablk_show_wc_status(status)					\
	__print_symbolic(status,					\
		{ IB_WC_SUCCESS,		"SUCCESS" },		\
		{ IB_WC_LOC_LEN_ERR,		"LOC_LEN_ERR" },	\
		{ IB_WC_LOC_QP_OP_ERR,		"LOC_QP_OP_ERR" },	\
		{ IB_WC_LOC_PROT_ERR,		"LOC_PROT_ERR" },	\
		{ IB_WC_WR_FLUSH_ERR,		"WR_FLUSH_ERR" },	\
		{ IB_WC_REM_INV_REQ_ERR,	"REM_INV_REQ_ERR" },	\
		{ IB_WC_REM_ACCESS_ERR,		"REM_ACCESS_ERR" },	\
		{ IB_WC_REM_OP_ERR,		"REM_OP_ERR" },		\
		{ IB_WC_RETRY_EXC_ERR,		"RETRY_EXC_ERR" },	\
		{ IB_WC_RNR_RETRY_EXC_ERR,	"RNR_RETRY_EXC_ERR" },	\
		{ IB_WC_FATAL_ERR,		"FATAL_ERR" },		\
		{ IB_WC_GENERAL_ERR,		"GENERAL_ERR" })

/* For the state that follows, and why. */
TRACE_EVENT(rdmablk_state,
	TP_PROTO(const struct rdmablk_dev *dev, enum rdmablk_dev_state to,
		 int error),
	TP_ARGS(dev, to, error),
	TP_STRUCT__entry(
		__field(u32, index)
		__field(u32, from)
		__field(u32, to)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->index = dev->index;
		__entry->from = dev->state;
		__entry->to = to;
		__entry->error = error;
	),
	TP_printk("rdmablk%u %s -> %s error=%d", __entry->index,
		  rdmablk_show_state(__entry->from),
		  rdmablk_show_state(__entry->to), __entry->error)
);

/* At its end. */
TRACE_EVENT(rdmablk_recovery_attempt,
	TP_PROTO(const struct rdmablk_dev *dev, int error),
	TP_ARGS(dev, error),
	TP_STRUCT__entry(
		__field(u32, index)
		__field(u32, attempt)
		__field(u32, down_ms)
		__field(int, error)
	),
	TP_fast_assign(
		__entry->index = dev->index;
		__entry->attempt = dev->recovery.attempts;
		__entry->down_ms =
			jiffies_to_msecs(jiffies - dev->recovery.since);
		__entry->error = error;
	),
	TP_printk("rdmablk%u attempt=%u down_ms=%u error=%d", __entry->index,
		  __entry->attempt, __entry->down_ms, __entry->error)
);

TRACE_EVENT(rdmablk_cm_event,
	TP_PROTO(const struct rdma_cm_id *cm_id,
		 const struct rdma_cm_event *event),
	TP_ARGS(cm_id, event),
	TP_STRUCT__entry(
		__field(const void *, cm_id)
		__array(unsigned char, dst, sizeof(struct sockaddr_in6))
		__field(u32, event)
		__field(int, status)
	),
	TP_fast_assign(
		__entry->cm_id = cm_id;
		memcpy(__entry->dst, &cm_id->route.addr.dst_addr,
		       sizeof(struct sockaddr_in6));
		__entry->event = event->event;
		__entry->status = event->status;
	),
	TP_printk("cm_id=%p dst=%pISpc %s status=%d", __entry->cm_id,
		  __entry->dst, rdmablk_show_cm_event(__entry->event),
		  __entry->status)
);

/* Just before: when it is posted, it may have ended already. */
TRACE_EVENT(rdmablk_request_post,
	TP_PROTO(const struct rdmablk_queue *queue, struct rdmablk_io *io),
	TP_ARGS(queue, io),
	TP_STRUCT__entry(
		__field(u32, index)
		__field(u16, hctx)
		__field(u16, nr_wr)
		__field(u32, op)
		__field(int, tag)
		__field(u64, sector)
		__field(u32, bytes)
	),
	TP_fast_assign(
		struct request *rq = blk_mq_rq_from_pdu(io);

		__entry->index = rdmablk_session_dev(queue->session)->index;
		__entry->hctx = queue->index;
		__entry->nr_wr = io->nr_wr;
		__entry->op = rq_data_dir(rq);
		__entry->tag = rq->tag;
		__entry->sector = blk_rq_pos(rq);
		__entry->bytes = blk_rq_bytes(rq);
	),
	TP_printk("rdmablk%u hctx=%u tag=%d %s sector=%llu bytes=%u nr_wr=%u",
		  __entry->index, __entry->hctx, __entry->tag,
		  rdmablk_show_op(__entry->op), __entry->sector,
		  __entry->bytes, __entry->nr_wr)
);

TRACE_EVENT(rdmablk_request_complete,
	TP_PROTO(struct rdmablk_io *io, const struct ib_wc *wc),
	TP_ARGS(io, wc),
	TP_STRUCT__entry(
		__field(u32, index)
		__field(u16, hctx)
		__field(u32, op)
		__field(int, tag)
		__field(u64, sector)
		__field(u32, bytes)
		__field(u32, status)
	),
	TP_fast_assign(
		struct request *rq = blk_mq_rq_from_pdu(io);

		__entry->index = rdmablk_session_dev(io->queue->session)->index;
		__entry->hctx = io->queue->index;
		__entry->op = rq_data_dir(rq);
		__entry->tag = rq->tag;
		__entry->sector = blk_rq_pos(rq);
		__entry->bytes = blk_rq_bytes(rq);
		__entry->status = wc->status;
	),
	TP_printk("rdmablk%u hctx=%u tag=%d %s sector=%llu bytes=%u %s",
		  __entry->index, __entry->hctx, __entry->tag,
		  rdmablk_show_op(__entry->op), __entry->sector,
		  __entry->bytes, rdmablk_show_wc_status(__entry->status))
);

#endif /* RDMABLK_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
