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
