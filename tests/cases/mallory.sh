# shellcheck shell=bash
#
# For the security-hostile-target-* cases, after lib.sh: a target that means harm,
# and the client's kernel that has to do with it.

mallory=$RDMABLK_TARGET:12346
mallory_said=''

# mallory_start: it listens.
mallory_start()
{
	load_module || bail "cannot load $RDMABLK_BUILD/rdmablk.ko"
	coproc mallory_coproc { exec hostile-target "$mallory"; }
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
	local device

	for device in $(rbdctl list -o json | jq -r '.[].device'); do
		within 60 rbdctl detach "$device" "$@" || return
	done
	nothing_attached
}
defer 'gone --force'

# serves_the_kernel: a target that means well is used as ever.
serves_the_kernel()
{
	local device

	start_target || return
	device=$(attach disk) || return
	dd if=/dev/zero of="$device" bs=64k count=16 oflag=direct status=none &&
		detach "$device" && stop_target
}
