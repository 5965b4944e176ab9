# shellcheck shell=bash
#
# For the failure-*-standby cases, after lib.sh and failure.sh: another host tries all the
# time to attach the export disk, over the target's other address; what it has got it
# keeps.

standby_start()
{
	standby_try >/dev/null 2>"$standby_says" &
	standby=$!
}

standby_try()
{
	until as_host other rbdctl attach "$RDMABLK_TARGET6" disk; do
		[ -e "$standby_goes_on" ] || return
	done
}
standby_goes_on=$(mktemp)
standby_says=$(mktemp)
defer 'rm -f "$standby_goes_on" "$standby_says"'

# standby_refused: at least once from now on, because the export is not free.
standby_refused()
{
	local before

	before=$(standby_refusals)
	# The first may have begun earlier.
	wait_for 60 "[ \"\$(standby_refusals)\" -gt $((before + 1)) ]"
}

standby_refusals()
{
	grep -cE 'in use by|kept for|being resized' "$standby_says"
}

# What it was told, and how often.
standby_told()
{
	sed 's/.*: //' "$standby_says" | cut -c -40 | sort | uniq -c | sort -n
}

standby_stop()
{
	rm "$standby_goes_on"
	wait "$standby"
}
