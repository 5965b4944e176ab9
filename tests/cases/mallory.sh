# shellcheck shell=bash
#
# For the security-hostile-target-* cases, after lib.sh: a target that means harm,
# and the client's kernel that has to do with it.

mallory=$RDMABLK_TARGET:12346
mallory_said=''

# mallory_start [KEY-FILE]: it listens.
mallory_start()
{
	load_module || bail "cannot load $RDMABLK_BUILD/rdmablk.ko"
	coproc mallory_coproc { exec hostile-target "$mallory" "$@"; }
	mallory_pid=$!
	defer 'kill "$mallory_pid" 2>/dev/null; wait "$mallory_pid" 2>/dev/null; :'
	exec {mallory_in}>&"${mallory_coproc[1]}" {mallory_out}<&"${mallory_coproc[0]}"
	mallory_reads
}

mallory_reads()
{
	read -rt $((30 * RDMABLK_SLOWNESS)) -u "$mallory_out" mallory_said
}

# mallory_is BEHAVIOUR...: from now on; see tests/fixtures/hostile-target.c.
mallory_is()
{
	printf '%s\n' "$*" >&"$mallory_in" && mallory_reads
}

# try_attach [OPTION]...: prints the device, or what was said; 124: it hangs.
try_attach()
{
	within 60 rbdctl attach "$mallory" disk --queues 1 \
		--connect-timeout 2 --no-partscan "$@" 2>&1
}

# gone [OPTION]...: whatever is attached can be detached, soon.
gone()
{
	local devices device

	devices=$(rbdctl list -o json | jq -r '.[].device') || return
	for device in $devices; do
		within 60 rbdctl detach "$device" "$@" || return
	done
	[ -z "$devices" ] || nothing_attached
}
defer 'gone --force'

# What came of the lies, and must not have.
findings=
finding()
{
	findings+="$mallory_said: $*
"
}

# one_lie [OPTION]...: attaches, judges, detaches.
one_lie()
{
	local said status=0

	said=$(try_attach --request-timeout 2 --keep-alive 2 "$@") || status=$?
	case $status:${mallory_said##*: } in
	124:* | 137:*)
		finding 'attach hangs' ;;
	0:malformed)
		finding 'attached' ;;
	[!0]*:sound)
		finding "refused: $said" ;;
	[!0]*:*)
		[[ $said =~ ^rbdctl:\ .{12} ]] || finding "says: $said" ;;
	esac
	gone || gone --force || finding 'cannot be detached'
}

# tell_lies EVERY WHAT COMMAND...: COMMAND for one in EVERY of the lies about WHAT, or
# about all.
tell_lies()
{
	local count=0

	findings=
	mallory_is good
	while mallory_is next "$1" "$2" && [ "$mallory_said" != 'no more lies' ]; do
		"${@:3}"
		count=$((count + 1))
	done
	diag "$count lies${2:+ about $2}"
	is "$mallory_said" 'no more lies' 'the target has survived'
	ok 'there were some' [ "$count" -gt 3 ]
	is "$findings" '' 'all were taken as they should be'
}

# serves_the_kernel [OPTION]...: a target that means well is used as ever.
serves_the_kernel()
{
	local device

	start_target || return
	device=$(attach disk "$@") || return
	dd if=/dev/zero of="$device" bs=64k count=16 oflag=direct status=none &&
		detach "$device" && stop_target
}
