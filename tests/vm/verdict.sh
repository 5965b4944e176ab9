# shellcheck shell=bash
#
# What became of a guest.

status_timeout=124	# as timeout(1) has it
status_broken=125

# verdict HOST STATUS-OF-QEMU: says what went wrong, if anything did. Returns
# the script's own status where it came to an end.
verdict()
{
	local host=$1 qemu=$2 dir=$logs/host$1 word='' rest=''

	[ ! -s "$dir/verdict" ] || read -r word rest <"$dir/verdict"
	case $word in
	exit)
		[ "$rest" -eq 0 ] || say "host$host: the script failed with status $rest"
		return "$rest" ;;
	timeout)
		say "host$host: timeout: the script did not end within $timeout seconds"
		return $status_timeout ;;
	off)
		# Its peer pulled the plug.
		return 0 ;;
	error)
		say "host$host: $rest"
		return $status_broken ;;
	esac

	verdict_missing "$host" "$qemu"
}

verdict_missing()
{
	local host=$1 qemu=$2 dir=$logs/host$1 line

	if line=$(verdict_grep 'Oops:|BUG: |general protection|unable to handle'); then
		say "host$host: oops: $line"
	elif line=$(verdict_grep 'Kernel panic'); then
		say "host$host: panic: $line"
	elif [ "$qemu" -eq $status_timeout ]; then
		say "host$host: hang: no verdict within $((timeout + boot_time)) seconds"
		return $status_timeout
	elif [ "$qemu" -ne 0 ]; then
		say "host$host: qemu failed with status $qemu: $(tail -n 1 "$dir/qemu")"
	else
		say "host$host: the guest stopped without a verdict"
	fi
	return $status_broken
}

# The first line of the guest's console that matches.
verdict_grep()
{
	grep -a -m 1 -E "$1" "$dir/console" | tr -d '\r'
}
