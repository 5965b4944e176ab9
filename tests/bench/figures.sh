# shellcheck shell=bash
#
# For what measures other things than rows, after lib.sh.

die()
{
	printf 'bench: %s\n' "$*" >&2
	exit 1
}

# The median of the numbers that come in, a line each.
median()
{
	sort -n | awk -v OFMT=%.3f '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
