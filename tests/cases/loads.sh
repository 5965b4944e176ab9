# shellcheck shell=bash
#
# For the cases, after lib.sh: loads that sync all that they do, and write down in
# $load_log, which is elsewhere, what has got so far. Each is a TYPE of
#
#	TYPE_make DEVICE	makes what it needs
#	TYPE_mount DEVICE	mounts it
#	TYPE_use		uses it, until it is killed or sees an error
#	TYPE_check		is everything there that is in the log?
#	TYPE_fsck DEVICE	and sound, when it is not mounted?

load_mount=$(mktemp -d)
load_log=$(mktemp)
defer 'rm -rf "$load_mount" "$load_log"'
defer '! mountpoint -q "$load_mount" || umount "$load_mount"'

load_unmount()
{
	umount "$load_mount"
}

# load_stop: ends its use, if it has not come to an end.
load_stop()
{
	fuser -k -TERM -m "$load_mount"
} >/dev/null 2>&1

# load_steps: how many are in the log.
load_steps()
{
	wc -l <"$load_log"
}

# load_start TYPE: has it used, by load_user; what went wrong is in the artifacts.
load_start()
{
	"$1_use" 2>>"$RDMABLK_ARTIFACTS/load" &
	load_user=$!
}

# load_begin TYPE STEPS: likewise, until so many more are in the log.
load_begin()
{
	local steps=$(($(load_steps) + $2))

	load_start "$1"
	need 'things get done' wait_for 100 "[ \$(load_steps) -gt $steps ]"
}

# load_end: not used and not mounted any more.
load_end()
{
	load_stop
	wait $load_user
	load_unmount
}

# load_kept TYPE DEVICE: three checks; what is in the log is there.
load_kept()
{
	need 'the file system recovers' "$1_mount" "$2"
	ok 'everything is there' "$1_check"
	diag "$(cat "$tap_output")"
	load_unmount
	ok 'and it is sound' "$1_fsck" "$2"
}

# ---- Files on ext4 that are replaced and removed

files_use()
{
	"$fixtures/fsync-files" write "$load_mount" "$load_log"
}

files_check()
{
	"$fixtures/fsync-files" check "$load_mount" "$load_log"
}

ext4_make()  { mkfs.ext4 -q "$1"; }
ext4_mount() { mount -t ext4 "$1" "$load_mount"; }
ext4_use()   { files_use; }
ext4_check() { files_check; }
ext4_fsck()  { e2fsck -fn "$1"; }

# ---- The same on xfs; mkfs takes this for a test, or wants 300 MB.

xfs_make()  { TEST_DIR=1 TEST_DEV=1 QA_CHECK_FS=1 mkfs.xfs -q -f "$1"; }
xfs_mount() { mount -t xfs "$1" "$load_mount"; }
xfs_use()   { files_use; }
xfs_check() { files_check; }
xfs_fsck()  { xfs_repair -n "$1"; }

# ---- SQLite on ext4: a row for each transaction

sqlite_make()
{
	ext4_make "$1" && ext4_mount "$1" &&
		sqlite3 "$load_mount/db" 'create table t (id integer primary key, data)' &&
		load_unmount
}

sqlite_mount()
{
	ext4_mount "$1"
}

sqlite_rows()
{
	sqlite3 "$load_mount/db" 'select count(*) from t'
}

# What a row says is printed when its transaction is durable.
sqlite_use()
{
	{
		echo 'pragma synchronous = extra;'
		seq $(($(sqlite_rows) + 1)) 1000000 | sed \
			's/.*/insert into t values (&, randomblob(700)); select &;/'
	} | stdbuf -oL sqlite3 -bail "$load_mount/db" >>"$load_log"
}

sqlite_check()
{
	local rows

	[ "$(sqlite3 "$load_mount/db" 'pragma integrity_check')" = ok ] ||
		{ echo 'the data base is damaged'; return 1; }
	rows=$(sqlite_rows)
	echo "$(tail -n 1 "$load_log") rows were committed, $rows are there"
	[ "$rows" -ge "$(tail -n 1 "$load_log")" ]
}

sqlite_fsck()
{
	ext4_fsck "$1"
}
