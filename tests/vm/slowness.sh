# shellcheck shell=bash
#
# slowness KERNEL [SANITIZE]: how much more time everything gets in its guests than in
# those of a distribution's kernel; with "yes" of programs with sanitizers. Whoever sets
# a limit multiplies by it.
slowness()
{
	local times=1

	[ "$1" != debug ] || times=4
	[ "${2:-no}" = no ] || times=$((times * 2))
	echo $times
}
