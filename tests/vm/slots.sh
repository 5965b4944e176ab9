# shellcheck shell=bash
#
# As many guests at a time as the machine has processors, whoever starts them:
# emulated guests that share one slow each other down until time-outs expire.

slots_wait()
{
	[ -n "$slots_told" ] || say "waiting for other guests"
	slots_told=yes
}
slots_told=

# slots_take N: waits for N slots, and keeps them as long as this process lives.
# One waits at a time, or two that need two each could wait for each other.
slots_take()
{
	local dir=$cache/slots slots wanted=$1 taken=0 n queue fd

	slots=$(nproc)
	[ "$wanted" -le "$slots" ] || wanted=$slots
	mkdir -p "$dir"
	exec {queue}>"$dir/queue"
	flock -n "$queue" || { slots_wait; flock "$queue"; }

	while :; do
		# Those we have are locked like any other: no slot counts twice.
		for ((n = 0; n < slots && taken < wanted; n++)); do
			exec {fd}>"$dir/$n"
			if flock -n "$fd"; then
				taken=$((taken + 1))
			else
				exec {fd}>&-
			fi
		done
		[ "$taken" -lt "$wanted" ] || break
		slots_wait
		sleep 1
	done
	exec {queue}>&-
}
