# shellcheck shell=bash
#
# Debian packages of another suite, fetched without touching the machine's
# own package configuration: apt is run with a state directory of its own,
# and its sources are the machine's with the suite's name changed.

# URI of the first of the machine's own archives that carries a suite whose
# name matches the pattern $1.
apt_archive()
{
	local uri suite

	# shellcheck disable=SC2016 # apt expands these, not the shell
	while read -r uri suite; do
		# shellcheck disable=SC2053 # $1 is a pattern
		[[ $suite == $1 ]] || continue
		printf '%s\n' "$uri"
		return
	done < <(apt-get indextargets --no-release-info \
		 --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages')
	return 1
}

# Source line for suite $1, from the archive that has the same kind of suite.
apt_source()
{
	local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	local suite=$1 uri

	case $suite in
	*-security)
		# Without it the plain suite still has a kernel, an older one.
		uri=$(apt_archive '*-security') || return 0 ;;
	*)
		uri=$(apt_archive '!(*-security)') ||
			die "apt names no Debian archive on this machine" ;;
	esac
	printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$uri" "$suite"
}

# apt-get or apt-cache, as $1, on the private state.
apt_run()
{
	local tool=$1 dir=$apt_dir

	shift
	"$tool" -qq \
		-o Dir::State="$dir" -o Dir::State::Lists="$dir/lists" \
		-o Dir::State::status="$dir/status" -o Dir::Cache="$dir" \
		-o Dir::Etc::sourcelist="$dir/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null \
		-o Dir::Etc::preferences=/dev/null \
		-o Dir::Etc::preferencesparts=/dev/null \
		-o APT::Architecture=amd64 -o APT::Architectures=amd64 \
		-o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}

# apt_open DIR SUITE...: later calls see the packages of these suites only.
apt_open()
{
	local suite

	apt_dir=$1
	shift
	mkdir -p "$apt_dir/lists/partial" "$apt_dir/archives/partial"
	# An empty status: what the machine has installed has no say.
	: >"$apt_dir/status"
	for suite; do
		apt_source "$suite"
	done >"$apt_dir/sources.list"
	apt_run apt-get update || die "apt-get update failed for: $*"
}

# apt_needs PACKAGE REGEX: packages that it depends on, of names that match.
apt_needs()
{
	apt_run apt-cache show --no-all-versions "$1" |
		sed -n 's/^Depends: //p' | tr -s ', ' '\n' | grep -xE "$2"
}

# The same, for one that has to be there.
apt_needed()
{
	apt_needs "$@" | head -n 1 | grep . ||
		die "no package '$1' that leads to '$2' in: $(apt_suites)"
}

apt_suites()
{
	awk '{ printf "%s%s", sep, $4; sep = ", " }' "$apt_dir/sources.list"
}

# apt_unpack DIR PACKAGE...: the packages' files, below DIR.
apt_unpack()
{
	local dir=$1 debs p

	shift
	debs=$(mktemp -d "$apt_dir/debs.XXXXXX")
	for p; do
		say "fetching $p"
		(cd "$debs" && apt_run apt-get download "$p") ||
			die "could not fetch package '$p' from: $(apt_suites)"
	done
	for p in "$debs"/*.deb; do
		dpkg-deb -x "$p" "$dir"
	done
	rm -rf "$debs"
}
