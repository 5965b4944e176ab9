-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark: what client and target of rdmablk say to each other, as
-- Documentation/protocol.rst and kmod/uapi/rdmablk_proto.h have it.
--
--	wireshark -X lua_script:rdmablk.lua capture.pcapng
--
-- Data do not pass here: READs and WRITEs are Wireshark's own "InfiniBand" lines.

local rdmablk = Proto("rdmablk", "rdmablk control protocol")

local MAGIC = 0x6b6c6272
local REPLY = 0x8000
local HEADER = 16
local MESSAGE_MAX = 1024
local EXTENT = 32
local RANGE = 16
local KEY = 4
local SEND_ONLY = 4	-- of a reliable connection: a message is one packet

local kinds = { [1] = "control", [2] = "data" }
local accesses = { [1] = "read-only", [2] = "read-write" }
local durabilities = {
	[1] = "volatile", [2] = "survive the daemon", [3] = "durable when flushed",
}
local scopes = { [0] = "unknown", [1] = "export", [2] = "data queue" }
local statuses = {
	[0] = "OK", [1] = "VERSION", [2] = "MESSAGE", [3] = "DENIED",
	[4] = "NO_EXPORT", [5] = "BUSY", [6] = "READ_ONLY", [7] = "LIMIT",
	[8] = "NO_SESSION", [9] = "QUEUE", [10] = "NOT_READY", [11] = "FENCED",
	[12] = "STORE", [13] = "SHUTDOWN", [14] = "INTERNAL", [15] = "DEVICE",
	[16] = "REMOVED", [17] = "UNSUPPORTED",
}
local types = {
	[1] = "HELLO", [2] = "AUTH", [3] = "OPEN", [4] = "EXTENTS",
	[5] = "KEEP_ALIVE", [6] = "CLOSE", [7] = "FLUSH", [8] = "ZERO",
	[9] = "EVENT", [10] = "KEYS",
}

-- ---- Fields ---------------------------------------------------------------

local fields = {}
local numbers = {}	-- names of those that have an order of bytes

-- A field "rdmablk.NAME", which a layout below calls by its name.
local function field(kind, name, text, ...)
	fields[name] = ProtoField[kind]("rdmablk." .. name, text, ...)
	numbers[name] = kind:match("^uint")
end

field("uint32", "magic", "Magic", base.HEX)
field("uint8", "version_min", "Lowest version")
field("uint8", "version_max", "Highest version")
field("uint8", "version", "Version")
field("uint8", "kind", "Kind of connection", base.DEC, kinds)
field("uint16", "credits", "Credits")
field("uint64", "session_id", "Session", base.HEX)
field("uint16", "hctx", "Data queue")
field("bytes", "proof", "Proof")
field("uint16", "type", "Type", base.HEX)
field("uint16", "status", "Status", base.DEC, statuses)
field("uint32", "length", "Length of the message")
field("uint64", "tag", "Tag", base.HEX)
field("stringz", "text", "Text")
field("guid", "host_id", "Host")
field("stringz", "host_name", "Name of the host")
field("stringz", "client_id", "Name of the key")
field("bytes", "nonce", "Nonce")
field("uint64", "features", "Features", base.HEX)
field("stringz", "target_name", "Name of the target")
field("uint8", "auth_required", "AUTH must come next")
field("stringz", "export", "Export")
field("uint8", "access", "Access", base.DEC, accesses)
field("bytes", "mac", "MAC")
field("uint8", "open_flags", "Flags (1: force)", base.HEX)
field("uint16", "nr_queues", "Data queues")
field("uint32", "queue_depth", "Requests on each")
field("uint32", "max_io_size", "Largest I/O")
field("uint32", "keep_alive_ms", "Keep-alive, ms")
field("uint64", "life", "Life of the host", base.HEX)
field("guid", "generation", "Generation")
field("uint64", "instance", "Instance", base.HEX)
field("uint64", "size", "Size")
field("uint32", "logical_block", "Logical block size")
field("uint32", "physical_block", "Physical block size")
field("uint8", "durability", "Writes", base.DEC, durabilities)
field("uint8", "grant_flags", "Flags (1: read-only, 2: write cache, 4: ZERO)", base.HEX)
field("uint32", "nr_extents", "Extents")
field("uint8", "chunk_shift", "Log2 of the chunk size")
field("uint8", "key_scope", "Remote keys are good for", base.DEC, scopes)
field("uint64", "offset", "Offset")
field("uint64", "bytes", "Length")
field("uint64", "addr", "Remote address", base.HEX)
field("uint32", "rkey", "Remote key", base.HEX)
field("uint32", "first", "From number")
field("uint32", "count", "Count")
field("uint8", "flush_flags", "Flags (1: more, 2: FUA, 4: clean)", base.HEX)
field("uint8", "zero_flags", "Flags (1: unmap)", base.HEX)
field("uint8", "epoch", "Epoch")
field("uint32", "code", "Reason", base.DEC, statuses)
rdmablk.fields = fields

local malformed = ProtoExpert.new("rdmablk.malformed", "shorter than it should be",
				  expert.group.MALFORMED, expert.severity.ERROR)
local refused = ProtoExpert.new("rdmablk.refused", "refused",
				expert.group.RESPONSE_CODE, expert.severity.NOTE)
rdmablk.experts = { malformed, refused }

-- ---- Layouts: names and sizes, one after the other; false is reserved --------

local header = { { "type", 2 }, { "status", 2 }, { "length", 4 }, { "tag", 8 } }
local extent = {
	{ "offset", 8 }, { "bytes", 8 }, { "addr", 8 }, { "rkey", 4 }, { false, 4 },
}
local range = { { "offset", 8 }, { "bytes", 8 } }

local requests = {
	HELLO = {
		{ "host_id", 16 }, { "host_name", 64 }, { "client_id", 64 },
		{ "nonce", 32 }, { "features", 8 },
	},
	AUTH = {
		{ "export", 128 }, { "access", 1 }, { false, 7 }, { "mac", 32 },
	},
	OPEN = {
		{ "export", 128 }, { "access", 1 }, { "open_flags", 1 },
		{ "nr_queues", 2 }, { "queue_depth", 4 }, { "max_io_size", 4 },
		{ "keep_alive_ms", 4 }, { "life", 8 }, { "session_id", 8 },
	},
	EXTENTS = { { "first", 4 }, { false, 4 } },
	FLUSH = {
		{ "flush_flags", 1 }, { "epoch", 1 }, { false, 2 }, { "count", 4 },
		list = range, each = RANGE, title = "Range",
	},
	KEYS = { { "hctx", 2 }, { false, 2 }, { "first", 4 } },
	ZERO = {
		{ "offset", 8 }, { "bytes", 8 }, { "zero_flags", 1 }, { "epoch", 1 },
		{ false, 6 },
	},
	EVENT = { { "code", 4 }, { false, 4 }, { "text", 192 } },
}

local replies = {
	HELLO = {
		{ "target_name", 64 }, { "nonce", 32 }, { false, 32 },
		{ "auth_required", 1 }, { false, 7 }, { "features", 8 },
	},
	AUTH = { { "mac", 32 } },
	OPEN = {
		{ "session_id", 8 }, { "generation", 16 }, { "instance", 8 },
		{ "size", 8 }, { "logical_block", 4 }, { "physical_block", 4 },
		{ "durability", 1 }, { "grant_flags", 1 }, { "nr_queues", 2 },
		{ "queue_depth", 4 }, { "max_io_size", 4 }, { "keep_alive_ms", 4 },
		{ "nr_extents", 4 }, { "chunk_shift", 1 }, { "key_scope", 1 },
		{ false, 10 },
		list = extent, each = EXTENT, title = "Coarse map",
	},
	EXTENTS = {
		{ "first", 4 }, { "count", 4 },
		list = extent, each = EXTENT, title = "Extent",
	},
	KEYS = {
		{ "first", 4 }, { "count", 4 },
		list = { { "rkey", 4 } }, each = KEY, title = "Key",
	},
}

local refusal = { { "text", 192 } }

local private = {
	[0x10] = {	-- ConnectRequest
		name = "connect",
		{ "magic", 4 }, { "version_min", 1 }, { "version_max", 1 },
		{ "kind", 1 }, { false, 1 }, { "session_id", 8 }, { "hctx", 2 },
		{ false, 6 }, { "proof", 32 },
	},
	[0x12] = {	-- ConnectReject
		name = "refuse",
		{ "magic", 4 }, { "version_min", 1 }, { "version_max", 1 },
		{ "status", 2 }, { false, 8 },
	},
	[0x13] = {	-- ConnectReply
		name = "accept",
		{ "magic", 4 }, { "version", 1 }, { "kind", 1 }, { "credits", 2 },
		{ false, 8 },
	},
}

-- ---- Dissection -------------------------------------------------------------

-- Adds what a layout has from @offset on. Returns where it ends, or nil.
local function add_layout(tree, tvb, offset, layout)
	for _, part in ipairs(layout) do
		local name, size = part[1], part[2]

		if offset + size > tvb:len() then
			tree:add_proto_expert_info(malformed)
			return nil
		end
		if name and numbers[name] then
			tree:add_le(fields[name], tvb(offset, size))
		elseif name then
			tree:add(fields[name], tvb(offset, size))
		end
		offset = offset + size
	end
	return offset
end

-- The rest of a message: what there may be any number of.
local function add_list(tree, tvb, offset, layout)
	local number = 0

	while offset + layout.each <= tvb:len() do
		local branch = tree:add(tvb(offset, layout.each),
					layout.title .. " " .. number)

		offset = add_layout(branch, tvb, offset, layout.list)
		number = number + 1
	end
end

local function text_at(tvb, offset, size)
	return tvb:len() >= offset + size and tvb(offset, size):stringz() or "?"
end

-- What the list of packets says of a message, beyond its name.
local details = {
	HELLO = function(tvb) return " from " .. text_at(tvb, 32, 64) end,
	AUTH = function(tvb) return " for " .. text_at(tvb, 16, 128) end,
	OPEN = function(tvb)
		return " " .. text_at(tvb, 16, 128) .. ", " ..
			(accesses[tvb(144, 1):uint()] or "?")
	end,
	EVENT = function(tvb) return ": " .. text_at(tvb, 24, 192) end,
}

local function describe(name, reply, status, tvb)
	if not reply then
		return name .. (details[name] and details[name](tvb) or "")
	elseif status ~= 0 then
		return name .. " refused: " .. text_at(tvb, HEADER, 192)
	end
	return name .. " reply"
end

local function is_message(tvb)
	if tvb:len() < HEADER or tvb:len() > MESSAGE_MAX then
		return false
	end
	local type = tvb(0, 2):le_uint()

	return types[type % REPLY] and tvb(4, 4):le_uint() == tvb:len() and
		(type >= REPLY or tvb(2, 2):le_uint() == 0)
end

local function dissect_message(tvb, pinfo, root)
	local type, status = tvb(0, 2):le_uint(), tvb(2, 2):le_uint()
	local name, reply = types[type % REPLY], type >= REPLY
	local info = describe(name, reply, status, tvb)
	local tree = root:add(rdmablk, tvb(), "rdmablk, " .. info)
	local layout = (reply and replies or requests)[name]

	pinfo.cols.protocol = "rdmablk"
	pinfo.cols.info = info
	add_layout(tree, tvb, 0, header)
	if status ~= 0 then
		tree:add_proto_expert_info(refused)
		layout = refusal
	end
	if layout then
		local offset = add_layout(tree, tvb, HEADER, layout)

		if offset and layout.list then
			add_list(tree, tvb, offset, layout)
		end
	end
end

-- ---- Where it comes from ------------------------------------------------------

local opcode = Field.new("infiniband.bth.opcode")
local attribute = Field.new("infiniband.mad.attributeid")

local function from_payload(tvb, pinfo, root)
	local found = opcode()

	if not found or found.value ~= SEND_ONLY or not is_message(tvb) then
		return false
	end
	dissect_message(tvb, pinfo, root)
	return true
end

local function from_private_data(tvb, pinfo, root)
	local found = attribute()
	local layout = found and private[found.value]

	if not layout or tvb:len() < HEADER or tvb(0, 4):le_uint() ~= MAGIC then
		return false
	end
	local tree = root:add(rdmablk, tvb(), "rdmablk, " .. layout.name)

	pinfo.cols.protocol = "rdmablk"
	pinfo.cols.info = "rdmablk: " .. layout.name
	add_layout(tree, tvb, 0, layout)
	return true
end

rdmablk:register_heuristic("infiniband.payload", from_payload)
rdmablk:register_heuristic("infiniband.mad.cm.private", from_private_data)
