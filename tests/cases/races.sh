# shellcheck shell=bash
#
# For the failure-races* cases, after lib.sh and main.sh: what happens at the same
# time, again and again. Each race is given how often.

# Reads all that can be read of a device, as long as there is a file.
spy()
{
	while [ -e "$spying" ]; do
		find /sys/block/rdmablk* /sys/kernel/debug/block/rdmablk* -type f \
			-readable -exec cat {} + >/dev/null 2>&1
		rbdctl list >/dev/null 2>&1
		rbdctl show rdmablk0 -o json >/dev/null 2>&1
		rbdctl stats -v >/dev/null 2>&1
	done
}
spying=$(mktemp)
defer 'rm -f "$spying"'

# one_attach [OPTION]...: its device is there, or there is a reason why not.
one_attach()
{
	rbdctl attach "$RDMABLK_TARGET" disk "$@" 2>/dev/null
}

# Somebody attaches and detaches what somebody else attaches and detaches.
race_attach_detach()
{
	local n racers

	for ((n = 0; n < $1; n++)); do
		one_attach >/dev/null &
		racers=($!)
		one_attach >/dev/null &
		racers+=($!)
		one_attach | xargs -r rbdctl detach 2>/dev/null &
		racers+=($!)
		rbdctl detach --force rdmablk0 2>/dev/null
		wait "${racers[@]}"
		detach_all || { echo "in round $n"; return 1; }
	done
}

# No device is there when it returns.
detach_all()
{
	wait_for 30 'rbdctl list -o json | jq -r ".[].name" |
		xargs -r -n 1 rbdctl detach --force; [ "$(rbdctl list -o json | jq length)" = 0 ]'
}

# The module goes while devices come: each is refused, or both succeed in turn.
race_module()
{
	local n

	for ((n = 0; n < $1; n++)); do
		{ one_attach >/dev/null; rbdctl detach --force rdmablk0 2>/dev/null; } &
		wait_for 5 'rmmod rdmablk 2>/dev/null || [ "$((++tries % 20))" -eq 0 ]'
		wait $!
		[ -d /sys/module/rdmablk ] || load_again || return
	done
}
tries=0

load_again()
{
	insmod "$RDMABLK_BUILD/rdmablk.ko"
}

# Writers, the target's death and a detach at the same time: all come to an end.
race_death()
{
	local n writer device signals=(KILL TERM)

	for ((n = 0; n < $1; n++)); do
		device=$(one_attach) || return
		dd if=/dev/zero of="$device" bs=64k count=512 oflag=direct \
			conv=nocreat,notrunc 2>/dev/null &
		writer=$!
		wait_for 20 "[ \"\$(ios $device)\" -gt $((n % 8 * 10)) ]"
		kill -s "${signals[n % 2]}" "$target_pid"
		within 20 rbdctl detach --force "$device" ||
			{ echo "round $n: no detach"; return 1; }
		wait_for 20 "! kill -0 $writer" ||
			{ echo "round $n: a writer waits"; return 1; }
		wait "$writer" "$target_pid"
		target_pid=
		start_target --export disk:size=32M || return
	done
}

# Has latencies counted, as long as there is a file.
watch()
{
	while [ -e "$spying" ]; do
		rbdctl top -v --count 3 >/dev/null 2>&1 ||
			read -rt 0.1 -u "$nothing"
	done
}

# races ROUNDS: with somebody who looks all the time.
races()
{
	plan 5
	serve --export disk:size=32M
	spy &
	spy=$!
	watch &
	watch=$!
	ok 'attach and detach' race_attach_detach "$1"
	diag "$(cat "$tap_output")"
	ok 'the module goes while devices come' race_module "$1"
	ok 'the target dies, the device is written and detached' race_death "$1"
	diag "$(cat "$tap_output")"
	rm "$spying"
	ok 'who looks comes to an end, too' wait_for 30 '! kill -0 $spy && ! kill -0 $watch'
	is "$(rbdctl list -o json | jq length)" 0 'no device is left'
}
