# shellcheck shell=bash
#
# slowness KERNEL: how much more time everything gets in its guests than in those
# of a distribution's kernel. Whoever sets a limit multiplies by it.
slowness()
{
	case $1 in
	debug) echo 4 ;;
	*)     echo 1 ;;
	esac
}
