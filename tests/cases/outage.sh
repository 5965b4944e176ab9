# shellcheck shell=bash
#
# For the failure-outage-* cases, after lib.sh, main.sh, link.sh and loads.sh: a file
# system in use, on a device whose packets get lost for a while.

# outage_begin TYPE [ATTACH-OPTION]...: it is in use, and then the wire is cut.
outage_begin()
{
	serve --export disk:size=160M
	device=$(attach disk "${@:2}")
	need 'an export is attached' [ -b "$device" ]
	defer "! [ -b $device ] || rbdctl detach --force $device"
	need "$1" "$1_make" "$device"
	need 'is mounted' "$1_mount" "$device"
	load_begin "$1" 20
	defer wire_mend
	need 'packets get lost' wire_cut
	ok 'the device notices' wait_state "$device" recovering 60
}

# still TIME: nothing gets done, and nobody has an error.
still()
{
	local steps

	steps=$(load_steps)
	read -rt "$1" -u "$nothing"
	[ "$(load_steps)" -eq "$steps" ] && kill -0 "$load_user"
}

# outage_case TYPE: it sees nothing of an outage of 20 s.
outage_case()
{
	local steps begun

	plan 16
	outage_begin "$1"
	ok 'for 20 s all wait' still 20
	need 'packets arrive again' wire_mend
	begun=$SECONDS
	steps=$(load_steps)
	ok 'the device is live again' wait_state "$device" live 60
	ok 'things get done again' wait_for 60 "[ \$(load_steps) -gt $((steps + 20)) ]"
	# Soon, so that what was under way is not written once more.
	load_end
	diag "after $((SECONDS - begun)) s"
	is "$(cat "$RDMABLK_ARTIFACTS/load")" '' 'nobody has seen an error'
	is "$(errors_logged "$device")" '' 'nor has the file system'
	load_kept "$1" "$device"
	ok 'it is detached' detach "$device"
}
