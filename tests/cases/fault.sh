# shellcheck shell=bash
#
# For the failure-fault-* cases, after lib.sh: things fail that do not fail by
# themselves. A fault point is a directory in debugfs, and its knobs are files
# there (Documentation/fault-injection/fault-injection.rst in the kernel's source).

fault_points=/sys/kernel/debug
# A number that no case comes to: what is missing of it are faults.
fault_times=1000000

# need_faults: only a kernel that was built for it has fault points.
need_faults()
{
	[ -d $fault_points/failslab ] ||
		plan skip "kernel $RDMABLK_KERNEL has no fault injection, 'debug' has"
}

# fault POINT KNOB=VALUE...
fault()
{
	local knob

	for knob in "${@:2}"; do
		echo "${knob#*=}" >"$fault_points/$1/${knob%%=*}" || return
	done
}

# fault_every N POINT: every N-th time it fails.
fault_every()
{
	fault "$2" verbose=0 probability=100 interval="$1" times=$fault_times
}

# fault_off POINT
fault_off()
{
	fault "$1" probability=0
}

# faulted POINT: how often it has failed since fault_every.
faulted()
{
	echo $((fault_times - $(cat "$fault_points/$1/times")))
}

# fault_ours POINT: a point of the kernel's memory management fails only where a
# function of the module has called it, but there also where it could wait.
fault_ours()
{
	local ours

	mapfile -t ours < <(awk '$4 == "[rdmablk]" { print $1 }' /proc/kallsyms |
		sort | sed -n '1p; $p')
	fault "$1" verbose=0 ignore-gfp-wait=N require-start="0x${ours[0]}" \
		require-end="$(printf '0x%x' $((0x${ours[1]} + 4096)))"
}

# Allocations that have been counted in this guest: the kernel never begins anew,
# and fails the one at which its count is a multiple of the interval.
fault_counted=/run/rdmablk-fault-counted

# fail_nth N COMMAND...: the N-th allocation of the module fails while the command
# runs. Leaves in nth_failed whether there were as many.
fail_nth()
{
	local count status=0

	count=$(($(cat $fault_counted 2>/dev/null || echo 0) + $1))
	fault failslab interval=$count times=1 probability=100
	"${@:2}" || status=$?
	fault failslab probability=0
	nth_failed=no
	if [ "$(cat $fault_points/failslab/times)" -eq 0 ]; then
		nth_failed=yes
		# With an interval of one it does not count.
		[ $count -eq 1 ] || echo $count >$fault_counted
	fi
	return $status
}
# shellcheck disable=SC2034 # for the cases
nth_failed=
