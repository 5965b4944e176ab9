# shellcheck shell=bash
#
# What the kernel prints while a case runs; for the cases, and for what runs them.

# dmesg_begin CASE: what is printed from here on is the case's.
dmesg_begin()
{
	echo "rdmablk-tests: begin $1" >/dev/kmsg
}

# dmesg_of_case: what was printed since the case began.
dmesg_of_case()
{
	dmesg | tac | sed '/rdmablk-tests: begin/q' | tac
}

# allow_dmesg REGEX: kernel messages that this case provokes are no failure.
allow_dmesg()
{
	printf '%s\n' "$1" >>"$RDMABLK_ARTIFACTS/allow-dmesg"
}

# errors_logged DEVICE: what the kernel has complained of since the case began.
errors_logged()
{
	dmesg_of_case | grep -iE "(error|warning).*${1#/dev/}"
}
