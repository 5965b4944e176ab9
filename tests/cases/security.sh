# shellcheck shell=bash
#
# For the security-* cases, after lib.sh and main.sh: a target that is built with
# the address sanitizer, and what a hostile client must not do to it.

serves_good_log=$(mktemp) attacker_log=$(mktemp)
defer "rm -f $serves_good_log $attacker_log"

# defend [ARGUMENT-OF-START_TARGET]...: the daemon under the sanitizers, whose
# findings end it; or the end of the case.
defend()
{
	local asan=$RDMABLK_TREE/build/userspace-asan

	[ -x "$asan/rdmablkd" ] ||
		bail 'there is no daemon with sanitizers: make -C userspace SANITIZE=1'
	PATH=$asan:$PATH
	export UBSAN_OPTIONS=print_stacktrace=1
	serve "$@"
}

# A small block device, for an export with a backing; sets backing.
small_disk()
{
	modprobe loop && truncate -s 16M /run/security.img &&
		backing=$(losetup --find --show /run/security.img) &&
		defer "losetup --detach $backing
			rm -rf /run/security.img /dev/shm/rdmablk"
}

# contents EXPORT: checksum of all that it has; with main.sh.
contents()
{
	local device

	device=$(attach "$1" --read-only) || return
	digest "$device"
	detach "$device"
}

# survived: the daemon, and it stops in good order.
survived()
{
	kill -0 "${target_pid:?}" && stop_target
}

# quiet_log LINES: so many lines of the daemon's log are enough.
quiet_log()
{
	local lines

	lines=$(wc -l <"$RDMABLK_ARTIFACTS/rdmablkd.log")
	diag "the log has $lines lines"
	[ "$lines" -le "$1" ]
}

# An address that only the attacker has, on the client's end of the cable.
attacker_address()
{
	local mac

	mac=$(cat /sys/class/net/client0/address)
	ip -batch - <<-END || return
		address add 192.0.2.66/24 dev client0
		neigh add 192.0.2.66 lladdr $mac dev target0
		route add 192.0.2.66 dev target0 src 192.0.2.1 table 102
		rule add pref 10 iif lo to 192.0.2.66 lookup 102
	END
	defer no_attacker_address
	hostile_source=(--source 192.0.2.66)
}

no_attacker_address()
{
	ip -batch - <<-END
		rule del pref 10 iif lo to 192.0.2.66 lookup 102
		route del 192.0.2.66 dev target0 table 102
		neigh del 192.0.2.66 dev target0
		address del 192.0.2.66/24 dev client0
	END
}

hostile()
{
	hostile-client "${hostile_source[@]}" "$@"
}
hostile_source=() as_good=()

# serves_good EXPORT: a client that means well is served as ever; with as_good.
serves_good()
{
	within 60 rdmablk-client "${as_good[@]}" --host 5 --host-name good --force \
		"$RDMABLK_TARGET" "$1" open write 64K 8K 77 verify 64K 8K 77 \
		close >"$serves_good_log" || { cat "$serves_good_log"; return 1; }
}
