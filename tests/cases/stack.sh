# shellcheck shell=bash
#
# For the cases about what is on top of devices, after lib.sh and main.sh: a second
# target on the same host, on a port of its own, which can die while the first one goes
# on, and a load that is there for as long as it takes.

second=$RDMABLK_TARGET:12346
second_socket=/run/rdmablk-second.sock
second_pid=
defer second_stop

# second_start [ARGUMENT-OF-RDMABLKD]...: returns when it serves.
second_start()
{
	rdmablkd "${target_trust[@]}" --port 12346 --socket $second_socket \
		--state-dir /run/rdmablk-second "$@" \
		>>"$RDMABLK_ARTIFACTS/second.log" 2>&1 &
	second_pid=$!
	wait_for 60 'second_ready || ! kill -0 "$second_pid"' && kill -0 "$second_pid"
}

second_ready()
{
	rbdctl export list --socket $second_socket -o json |
		jq -e 'length > 0 and all(.state == "ready")'
}

# second_stop [SIGNAL]
second_stop()
{
	local pid=$second_pid

	[ -n "$pid" ] || return 0
	second_pid=
	kill -s "${1:-TERM}" "$pid" && wait "$pid"
} 2>/dev/null

# second_attach EXPORT [OPTION]...: prints the device.
second_attach()
{
	rbdctl attach "$second" "$@"
}

# stack_load FUNCTION DEVICE...: has the function called with these, again and again,
# until it fails, or stack_load_end.
stack_load()
{
	stack_loading=$(mktemp)
	defer stack_load_end
	while [ -e "$stack_loading" ]; do
		"$@" || return
	done >"$RDMABLK_ARTIFACTS/fio" 2>&1 &
	stack_loader=$!
}

# stack_load_end: its status, 0 if nobody has seen an error.
stack_load_end()
{
	rm -f "$stack_loading"
	wait "$stack_loader"
}

# stack_load_fails: three checks; there is nothing left to go on with.
stack_load_fails()
{
	ok 'who uses it does not wait' wait_for 60 '! kill -0 $stack_loader'
	fails 'but has an error' stack_load_end
	like "$(cat "$RDMABLK_ARTIFACTS/fio")" 'Input/output error' \
		'which says what it is'
}

# stack_loses DEVICE: a check; it is detached from below. The machine may be slow.
stack_loses()
{
	local begun=$SECONDS

	ok "$1 is detached by force" within 20 rbdctl detach --force "$1"
	diag "after $((SECONDS - begun)) s"
}

# stack_goes_on DEVICE: more and more is read and written.
stack_goes_on()
{
	local end=$(($(ios "$1") + 200))

	wait_for 60 "[ \$(ios '$1') -gt $end ]"
}
