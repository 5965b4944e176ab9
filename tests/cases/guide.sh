# shellcheck shell=bash
#
# For the cases that do what the admin guide says, word by word.

# guide SECTION N: the Nth literal block of that section, without its indentation.
guide()
{
	awk -v section="$1" -v wanted="$2" '
		/^(==+|--+)$/ { current = title }
		{ title = $0 }
		current != section { next }
		/^[^ ]/ { inside = /::$/; block += inside; next }
		inside && block == wanted { sub(/^    /, ""); print }
	' "$RDMABLK_TREE/Documentation/admin-guide.rst"
}

# guide_do SECTION N: the block is commands.
guide_do()
{
	bash -exc "$(guide "$1" "$2")" </dev/null
}

# guide_target SIZE: the target, as the guide sets it up, with an export of that size.
guide_target()
{
	guide 'The target' 1 | sed "s/16G/$1/" >/etc/rdmablk/rdmablkd.conf
	guide_do 'The target' 2
}

# guide_key: what the client is to have of the target's file of keys.
guide_key()
{
	install -m 600 <(grep ^db1: /etc/rdmablk/keys) /etc/rdmablk/key
}

# guide_forget: what the packages leave, as it is the operator's.
guide_forget()
{
	rm -rf /etc/rdmablk /var/lib/rdmablkd
}
