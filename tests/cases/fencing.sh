# shellcheck shell=bash
#
# For the failure-fencing* cases, after lib.sh, main.sh, detour.sh and late.sh: the
# session of a device is replaced while a write of it is under way, which lands after
# all that was written since, or does not land.
#
# A round: the packets of all queue pairs become late. The write of a block times
# out, and is done again over a new session. The block is written once more, with
# other contents, which have to stay when the late packets have arrived.

late=8		# seconds
devices=()

# The target must not hear that a session ends but from the next one: requests to
# disconnect get lost. They are management datagrams, to queue pair 1, with this
# attribute.
lose_disconnects()
{
	nft -f - <<-EOF
		table inet rdmablk_fencing {
			chain lost {
				type filter hook input priority 0
				udp dport 4791 @th,104,24 1 @th,352,16 0x15 drop
			}
		}
	EOF
	defer 'nft delete table inet rdmablk_fencing'
}

# fencing_begin DEVICES
fencing_begin()
{
	local n device exports=()

	for ((n = 0; n < $1; n++)); do
		exports+=(--export "disk$n:size=32M")
	done
	serve "${exports[@]}"
	need 'packets can be late' late_setup $late
	need 'and requests to disconnect lost' lose_disconnects
	for ((n = 0; n < $1; n++)); do
		device=$(attach "disk$n" --queues 1 --request-timeout 1 \
			--reconnect-delay 1)
		need "export $n is attached" [ -b "$device" ]
		devices+=("$device")
		defer "detach --force $device"
	done
}

# block CONTENTS: a block of nothing else.
block()
{
	head -c 4096 < <(yes "$1")
}

# write DEVICE CONTENTS: as the first block.
write()
{
	block "$2" | dd of="$1" bs=4k iflag=fullblock oflag=direct status=none
}

# holds DEVICE CONTENTS: in its first block, and nothing else.
holds()
{
	cmp <(dd if="$1" bs=4k count=1 iflag=direct status=none) <(block "$2")
}

# fencing_round N: 1 if a block has not what was written last.
fencing_round()
{
	local device jobs=()

	late_begin || return
	for device in "${devices[@]}"; do
		{ write "$device" "old $1" && write "$device" "new $1"; } &
		jobs+=($!)
	done
	wait_for 60 '[ "$(late_packets)" -ge ${#devices[@]} ]' || return
	wait "${jobs[@]}" || return
	# Were none late by now, nothing would have been tried.
	[ "$(late_packets)" -eq 0 ] || tried=$((tried + 1))
	wait_for 60 '[ "$(late_packets)" -eq 0 ]' && late_end || return
	for device in "${devices[@]}"; do
		holds "$device" "new $1" || return
	done
}
tried=0

# fencing_rounds N: as many that have tried something.
fencing_rounds()
{
	local n

	for ((n = 1; n <= 2 * $1 && tried < $1; n++)); do
		fencing_round $n || { echo "in round $n"; return 1; }
	done
	[ $tried -ge "$1" ] || { echo "packets were late in $tried rounds only"; return 1; }
}

# fencing_case ROUNDS DEVICES
fencing_case()
{
	fencing_begin "$2"
	ok "$1 rounds: what was written last is there" fencing_rounds "$1"
	diag "$(cat "$tap_output")"
	diag "$((tried * $2)) sessions replaced with a write under way"
	is "$(field "${devices[0]}" state)" live 'the device is live'
	ok 'and was recovered in every round' \
		[ "$(field "${devices[0]}" reconnects)" -ge "$1" ]
}
