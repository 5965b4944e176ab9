# shellcheck shell=bash
#
# What a case must not leave behind in the guest.

# shellcheck source=tests/cases/dmesg.sh
. "${BASH_SOURCE[0]%/*}/../cases/dmesg.sh"

# Lines of the kernel log that mean a bug, wherever they come from.
bug_lines='BUG:|WARNING:|Oops|general protection fault, |Call Trace:|KASAN|UBSAN'
bug_lines+='|refcount_t:|possible (circular|recursive) locking|inconsistent lock state'
bug_lines+='|suspicious RCU usage|blocked for more than|soft lockup|self-detected stall'
bug_lines+='|list_(add|del) corruption|Bad page|page allocation failure|kmemleak:'
bug_lines+='|unregister_netdevice: waiting|rdmablk.*\bbug\b|segfault at'
# Only kernels that were built for it print these.
bug_lines+='|ODEBUG:|BUG [^ ]+ \(|detected stalls|non-static key|locking correctness'

# One line for each thing that outlives a process.
inspect_state()
{
	(
		shopt -s nullglob
		printf 'block device %s\n' /sys/block/{rdmablk,dm-,md}*
		printf 'shared memory %s\n' /dev/shm/* /dev/hugepages/*
		[ ! -d /sys/module/rdmablk ] || echo 'module rdmablk'
		losetup --noheadings --list --output NAME,BACK-FILE
		awk '{ print "mount", $1, $2 }' /proc/self/mounts
		ip -oneline link | sed 's/^[0-9]*: /link /; s/ qdisc .*//'
		tc qdisc show
		nft list ruleset
		rdma resource show | sed 's/^[0-9]*: /rdma /'
	) 2>&1 | sort
}

# inspect_left BEFORE: what is there now and was not before. Some things take
# a moment to go after the last process that used them.
inspect_left()
{
	local now end=$((SECONDS + 10 * RDMABLK_SLOWNESS))

	# To look takes seconds itself where it is slow.
	until now=$(inspect_state); [ "$now" = "$(cat "$1")" ]; do
		[ "$SECONDS" -lt "$end" ] || break
		sleep 0.1
	done
	[ "$now" != "$(cat "$1")" ] || return 0
	diff "$1" - <<<"$now" | sed -n 's/^> /left behind: /p; s/^< /lost: /p'
}

# inspect_dmesg DIR: keeps what the kernel has printed since the case began and
# says which lines of it are bugs. DIR/allow-dmesg has those that are none.
inspect_dmesg()
{
	dmesg_of_case >"$1/dmesg"
	grep -E "$bug_lines" "$1/dmesg" |
		if [ -e "$1/allow-dmesg" ]; then
			grep -vEf "$1/allow-dmesg"
		else
			cat
		fi | sed 's/^/kernel: /'
}

# Whether lockdep still watches; nothing where there is none.
inspect_lockdep()
{
	grep -s debug_locks: /proc/lockdep_stats
}

# Memory of the kernel that nothing points to; where the kernel looks for that.
kmemleak=/sys/kernel/debug/kmemleak

# The kernel's clock, by which it dates what is allocated; where that is asked for.
inspect_clock()
{
	[ ! -e "$kmemleak" ] ||
		awk '$1 == "jiffies:" { print $2; exit }' /proc/timer_list
}

# What is known by now is nothing to blame a case for.
inspect_forget_leaks()
{
	[ ! -e "$kmemleak" ] || echo clear >"$kmemleak"
}

# inspect_leaks DIR...: what cases have leaked that ran one after another goes to
# DIR/kmemleak, and a line for each piece to DIR/leaks. It counts when it is five
# seconds old and two scans find it the same; that takes most of a minute, however
# many cases they were. DIR/clock has when the case began, and DIR/symbols the names of
# a module's functions, which the kernel forgets with the module.
inspect_leaks()
{
	local dir

	[ -e "$kmemleak" ] || return 0
	echo scan >"$kmemleak"
	sleep 5
	echo scan >"$kmemleak"
	split_leaks "$@"
	for dir; do
		name_functions "$dir/symbols" <"$dir/objects" >"$dir/kmemleak"
		rm "$dir/objects"
		leak_lines <"$dir/kmemleak" >"$dir/leaks"
	done
}

# split_leaks DIR...: what was allocated while a case ran goes to its DIR/objects; what
# is older than all of them, to that of the first.
split_leaks()
{
	awk -v leaks="$kmemleak" '
		FILENAME != leaks {
			begun[++n] = $1
			objects[n] = FILENAME
			sub(/clock$/, "objects", objects[n])
			printf "" >objects[n]
			next
		}
		/^unreferenced object/ { first = $0; next }
		first && match($0, /jiffies [0-9]+/) {
			at = substr($0, RSTART + 8, RLENGTH - 8)
			for (i = n; i > 1 && begun[i] + 0 > at + 0; i--)
				;
			print first >objects[i]
			first = ""
		}
		{ print >objects[i] }' "${@/%//clock}" "$kmemleak"
}

# name_functions SYMBOLS: addresses of a stack become names where they are known. By
# the last symbol nothing is named: where it ends is not known.
name_functions()
{
	awk -v symbols="$1" '
		BEGIN {
			while ((getline line <symbols) > 0) {
				split(line, part)
				at[++n] = part[1] ""
				name[n] = part[3] "+0x0 " part[4]
			}
		}
		/^ +0x[0-9a-f]+$/ {
			address = substr($1, 3) ""
			for (i = n; i && at[i] > address; i--)
				;
			if (i && i < n)
				$0 = "    " name[i]
		}
		{ print }'
}

# An object's size and who has allocated it, on one line.
leak_lines()
{
	sed -En 's/^unreferenced object .*(\(size [0-9]+\)):/leak: \1/p
		 s/^ +(\[<.*>\] )?([^ ]+)\+0x[^ ]*( .*)?/\2\3/p' |
		awk '/^leak:/ { printf "%s%s", end, $0; end = "\n"; next }
		     { printf " %s", $0 } END { printf "%s", end }'
}

# inspect_clean BEFORE: tries to take away what a case left; fails if it cannot.
inspect_clean()
{
	local place device dev limit=$((30 * RDMABLK_SLOWNESS))

	inspect_left "$1" | sed -n 's/^left behind: mount [^ ]* //p' | tac |
		while read -r place; do
			umount "$place" || umount --lazy "$place"
		done
	for device in /dev/rdmablk*; do
		[ ! -b "$device" ] || timeout "$limit" rbdctl detach --force "$device"
	done
	[ ! -d /sys/module/rdmablk ] || timeout "$limit" rmmod rdmablk
	nft flush ruleset
	for dev in "$RDMABLK_NETDEV" target0; do
		tc qdisc delete dev "$dev" root
	done
	[ -z "$(inspect_left "$1")" ]
} >/dev/null 2>&1
