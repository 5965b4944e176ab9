# shellcheck shell=bash
#
# For the operator-* cases, after lib.sh: what the tools say to people.

operator_out=$(mktemp)
defer "rm -f $operator_out"

# says STATUS REGEX DESCRIPTION COMMAND...: the command fails with this status,
# says this on standard error, and nothing on standard output.
says()
{
	local status=0 said

	said=$("${@:4}" 2>&1 >"$operator_out") || status=$?
	if [ "$status" -ne "$1" ]; then
		fail "$3" "${*:4}: status $status, not $1
$said"
	elif ! [[ $said =~ $2 ]]; then
		fail "$3" "${*:4}: does not match $2
$said"
	elif [ -s "$operator_out" ]; then
		fail "$3" "${*:4}: prints
$(cat "$operator_out")"
	else
		pass "$3"
	fi
}

# state: all that could have changed.
state()
{
	rbdctl list -o json
	rbdctl export list -o json
	ls /sys/block
}

# unchanged STATE DESCRIPTION
unchanged()
{
	is "$(state 2>&1)" "$1" "$2"
}

# udev_rules: udev goes by the rules of the tree, as it does where they are
# installed.
udev_rules()
{
	local rules=/run/udev/rules.d/60-rdmablk.rules

	ln -s "$RDMABLK_TREE/userspace/udev/60-rdmablk.rules" "$rules" &&
		defer "rm $rules; udevadm control --reload" &&
		udevadm control --reload
}

# udev_knows DEVICE [PROPERTY]: what udev's database has of it.
udev_knows()
{
	udevadm info --query=property ${2:+--value --property="$2"} "$1"
}
