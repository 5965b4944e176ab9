# shellcheck shell=bash
#
# For the cases: module, daemon and tool, brought up and taken down. Sourced by
# lib.sh. The functions fail like any command; a case decides what that means.

# load_module [PARAMETER=VALUE]...
load_module()
{
	local module=$RDMABLK_BUILD/rdmablk.ko needs

	[ -d /sys/module/rdmablk ] && return 0
	needs=$(modinfo -F depends "$module") || return
	# shellcheck disable=SC2086 # one word a module
	[ -z "$needs" ] || modprobe -a ${needs//,/ } || return
	insmod "$module" "$@" || return
	defer unload_module
	keep_symbols rdmablk
}

# keep_symbols MODULE: for the stacks of what it leaks, which are looked at when it
# may be gone.
keep_symbols()
{
	[ ! -e /sys/kernel/debug/kmemleak ] ||
		grep -F "[$1]" /proc/kallsyms | sort >"$RDMABLK_ARTIFACTS/symbols"
}

unload_module()
{
	[ ! -d /sys/module/rdmablk ] || rmmod rdmablk
}

# Whom the daemon trusts.
target_trust=(--allow-unauthenticated)

# start_target [ARGUMENT]...: the daemon, with these arguments, or with one
# export in memory that is named "disk"; returns when it serves. target_pid is
# its process. It gets target_patience seconds, a minute by default.
start_target()
{
	[ $# -gt 0 ] || set -- --export disk:store=mem,size=256M

	rdmablkd "${target_trust[@]}" --state-dir /run/rdmablk-state "$@" \
		>>"$RDMABLK_ARTIFACTS/rdmablkd.log" 2>&1 &
	target_pid=$!
	defer stop_target
	# The loop ends early if the daemon did.
	wait_for "${target_patience:-60}" "target_ready || ! kill -0 $target_pid" &&
		kill -0 "$target_pid"
}

# Every export can be attached: its memory is registered.
target_ready()
{
	rbdctl export list -o json | jq -e 'all(.state == "ready")'
}

# stop_target [SIGNAL]: returns the daemon's status.
stop_target()
{
	local pid=${target_pid:-}

	[ -n "$pid" ] || return 0
	target_pid=
	kill -s "${1:-TERM}" "$pid" && wait "$pid"
}

# target_wakeups: how often all threads of the daemon went to sleep after they had been
# woken.
target_wakeups()
{
	cat /proc/"${target_pid:?}"/task/*/status |
		awk '/^voluntary_ctxt_switches/ { n += $2 } END { print n }'
}

# attach EXPORT [OPTION]...: prints the device.
attach()
{
	rbdctl attach "$RDMABLK_TARGET" "$@"
}

detach()
{
	rbdctl detach "$@"
}

nothing_attached()
{
	[ "$(rbdctl list -o json | jq length)" -eq 0 ]
}

# serve [ARGUMENT-OF-START_TARGET]...: module and target, or the end of the case.
serve()
{
	load_module || bail "cannot load $RDMABLK_BUILD/rdmablk.ko"
	start_target "$@" || bail "the target does not come up"
}
