# shellcheck shell=bash
#
# For the operator-md* cases, after lib.sh, main.sh and stack.sh: md over devices of
# two targets. What the array is made of is in md_members, those of the second target
# also in md_lost.

md=/dev/md0
md_members=() md_lost=()

# md_create LEVEL: from md_members, in sync.
md_create()
{
	mdadm --create $md --run --level="$1" --raid-devices=${#md_members[@]} \
		--bitmap=internal "${md_members[@]}" || return
	defer '[ ! -e /sys/block/md0 ] || mdadm --stop $md'
	md_idle 120
}

# md_idle SECONDS: nothing is left to be synced.
md_idle()
{
	wait_for "$1" 'grep -qx idle /sys/block/md0/md/sync_action'
}

# md_all STATE: that is what each member of md_lost is in.
md_all()
{
	local device

	for device in "${md_lost[@]}"; do
		grep -q "$1" "/sys/block/md0/md/dev-$(md_name "$device")/state" || return
	done
}

md_name()
{
	basename "$(readlink -f "$1")"
}

# md_differs: sectors in which the copies differ, as md finds them.
md_differs()
{
	echo check >/sys/block/md0/md/sync_action
	md_idle 120 || echo 'it does not end;'
	cat /sys/block/md0/md/mismatch_cnt
}

# md_survives: four checks; the second target is killed under load.
md_survives()
{
	stack_load fio_verify_for 8 $md
	need 'there is load' stack_goes_on $md
	second_stop KILL
	need 'what the second target had is given up' wait_for 60 'md_all faulty'
	diag "$(grep -A 2 '^md0' /proc/mdstat)"
	ok 'the array goes on' stack_goes_on $md
	ok 'what was written is there' stack_load_end
}
