# shellcheck shell=bash
#
# As many guests at a time as the machine has processors, whoever starts them:
# emulated guests that share one slow each other down until time-outs expire.

# For so many seconds those that need fewer slots may go first.
slots_patience=300

# slots_try DIR SLOTS N: takes N slots, or none.
slots_try()
{
	local n fd fds=()

	for ((n = 0; n < $2 && ${#fds[@]} < $3; n++)); do
		exec {fd}>"$1/$n"
		if flock -n "$fd"; then
			fds+=("$fd")
		else
			exec {fd}>&-
		fi
	done
	[ ${#fds[@]} -lt "$3" ] || return 0
	for fd in "${fds[@]}"; do
		exec {fd}>&-
	done
	return 1
}

# slots_take N: waits for N slots, and keeps them as long as this process lives.
# Whoever has waited for long keeps the queue, so that no other begins before it.
slots_take()
{
	local dir=$cache/slots slots wanted=$1 begun=$SECONDS told=no queue

	slots=$(nproc)
	[ "$wanted" -le "$slots" ] || wanted=$slots
	mkdir -p "$dir"
	exec {queue}>"$dir/queue"
	until flock -n "$queue" && slots_try "$dir" "$slots" "$wanted"; do
		[ $told = yes ] || say "waiting for other guests"
		told=yes
		[ $((SECONDS - begun)) -ge "$slots_patience" ] || flock -u "$queue"
		sleep 1
	done
	exec {queue}>&-
}
