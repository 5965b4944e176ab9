# shellcheck shell=bash
#
# For the failure-soak* cases, after lib.sh, main.sh, link.sh, rdma.sh, detour.sh, loads.sh
# and soak_use.sh: failures at random, while devices are in use.
#
# A round is a condition that lasts for some seconds (the network is bad or cut, a link
# is down, the daemon is stopped) and, in the midst of it, an event. Then all has to work
# again. What happens depends on the seed alone, and a line tells of each round: with the
# same seed the same happens again.

# draw LOW HIGH: sets drawn. Only ever here, and not in a subshell, which would have
# random numbers of its own.
draw()
{
	drawn=$(($1 + RANDOM % ($2 - $1 + 1)))
}

# draw_word WORD...: likewise.
draw_word()
{
	draw 1 $#
	drawn=${!drawn}
}

# soak_sleep SECONDS: as long as something lasts.
soak_sleep()
{
	read -rt "$1" -u "$nothing"
}

# ---- Conditions: begin_NAME ARGUMENT..., and end_NAME

draw_condition()
{
	local side percent

	draw_word client target both
	side=$drawn
	draw 1 20
	percent=$drawn
	draw_word calm loss loss reorder duplicate corrupt all cut cut link link stop
	case $drawn in
	calm)      condition=(calm) ;;
	loss)      condition=(noise "$side" loss $percent%) ;;
	reorder)   condition=(noise "$side" delay 5ms reorder $((100 - percent))%) ;;
	duplicate) condition=(noise "$side" duplicate $percent%) ;;
	corrupt)   condition=(noise "$side" corrupt $percent%) ;;
	all)       condition=(noise "$side" delay 2ms 2ms loss $((percent / 2))%
				duplicate $percent% corrupt 1%) ;;
	cut)       condition=(cut "$side") ;;
	link)      draw_word client target
		   condition=(link "$drawn") ;;
	stop)      condition=(stop) ;;
	esac
}

begin_calm() { :; }
end_calm()   { :; }

# begin_noise client|target|both NETEM-OPTION...: to what arrives there.
begin_noise()
{
	local end

	noisy=("$1")
	[ "$1" != both ] || noisy=(client target)
	for end in "${noisy[@]}"; do
		detour_netem "${end}0" "${@:2}" && detour_begin "${end}0" || return
	done
}

end_noise()
{
	local end

	for end in "${noisy[@]}"; do
		detour_end "${end}0" || return
	done
}

# begin_cut client|target|both: nothing arrives there.
begin_cut()
{
	case $1 in
	both) wire_cut ;;
	*)    wire_cut iifname "${1}0" ;;
	esac
}

end_cut()
{
	wire_mend
}

# begin_link client|target: its interface is down.
begin_link()
{
	link_down "${1}0"
}

end_link()
{
	link_up
}

begin_stop()
{
	stopped=$target_pid
	kill -STOP "$stopped"
}

# It may be dead by now.
end_stop()
{
	kill -CONT "$stopped" 2>/dev/null || :
}

# ---- Events: event_NAME ARGUMENT..., which takes no longer than it has to, and
# over_NAME ARGUMENT... when all works again

draw_event()
{
	draw_word nothing kill kill removal spare storm resize settings check
	event=("$drawn")
	case $drawn in
	kill)
		draw_kill ;;
	removal)
		draw_removal ;;
	storm)
		draw 2 8
		event+=("$drawn") ;;
	resize)
		draw_word raw files
		event+=("$drawn") ;;
	settings)
		draw_settings ;;
	esac
}

event_nothing() { :; }
over_nothing()  { :; }

# The connection manager of Soft-RoCE does not get over a daemon that ends while its link
# is down: see failure-semantics.rst.
draw_kill()
{
	draw_word KILL KILL TERM
	event+=("$drawn")
	draw 0 5
	event+=("$drawn")
	[ "${condition[0]}" != link ] || event=(nothing)
}

# event_kill SIGNAL SECONDS: the daemon ends, and is back after some time.
event_kill()
{
	local pid=$target_pid

	target_pid=
	kill -s "$1" "$pid" && kill -CONT "$pid"
	wait_for 60 "! kill -0 $pid" || { echo "SIG$1: no end"; return 1; }
	soak_sleep "$2"
	soak_target || { echo 'the target does not come back'; return 1; }
} 2>/dev/null

over_kill() { :; }

# A daemon that is stopped cannot let go of its RDMA device.
draw_removal()
{
	draw_word client target
	[ "${condition[0]}" != stop ] || drawn=client
	event+=("$drawn")
	draw 0 5
	event+=("$drawn")
}

# event_removal client|target SECONDS: its RDMA device goes, and is back after some time.
event_removal()
{
	rdma_goes "$1" || { echo "rxe_$1 does not go"; return 1; }
	soak_sleep "$2"
	rdma_comes "$1" || { echo "rxe_$1 does not come back"; return 1; }
}

over_removal() { :; }

# The spare device is taken away by force.
event_spare()
{
	timeout $((20 * RDMABLK_SLOWNESS)) rbdctl detach --force "${device[spare]}" ||
		{ echo 'the spare device is not detached'; return 1; }
	wait_for 20 "! kill -0 $spare_user" ||
		{ echo 'who uses the spare device waits'; return 1; }
}

over_spare() { :; }

# event_storm ATTACHES: at once, to the exports that nobody else uses.
event_storm()
{
	local n

	storm=()
	for ((n = 0; n < $1; n++)); do
		attach "storm$((n % 2 + 1))" "${soak_attach[@]}" &
		storm+=($!)
	done
} >/dev/null 2>&1

over_storm()
{
	wait_for 60 '! kill -0 "${storm[@]}"' ||
		{ echo 'attaches do not end'; return 1; }
	wait_for 60 'storm_devices | xargs -r -n 1 rbdctl detach --force
		[ -z "$(storm_devices)" ]' ||
		{ echo 'devices are not detached'; return 1; }
}

storm_devices()
{
	rbdctl list -o json |
		jq -r '.[] | select(.export | startswith("storm")).name'
}

# event_resize raw|files: by a little.
event_resize()
{
	soak_size[$1]=$((soak_size[$1] + 4))
	rbdctl export resize "$1" "${soak_size[$1]}M" >"$state/resize" 2>&1 &
	resizer=$!
}

over_resize()
{
	wait_for 60 "! kill -0 $resizer" || { echo 'resize does not end'; return 1; }
	wait "$resizer" || { cat "$state/resize"; return 1; }
	wait_for 30 "[ \"\$(blockdev --getsize64 ${device[$1]})\" -eq \
		$((soak_size[$1] << 20)) ]" ||
		{ echo "${device[$1]} does not become larger"; return 1; }
}

draw_settings()
{
	draw_word raw files
	event+=("$drawn")
	draw 2 20
	event+=(--keep-alive "$drawn")
	draw 2 20
	event+=(--request-timeout "$drawn")
	draw 1 3
	event+=(--reconnect-delay "$drawn")
	draw 0 3
	event+=(--sync-interval "$drawn")
}

# event_settings raw|files OPTION...
event_settings()
{
	rbdctl set "${device[$1]}" "${@:2}"
}

over_settings() { :; }

event_check() { :; }

# The files are looked at, now that it is possible.
over_check()
{
	files_check
}

# ---- Rounds

# soak_said TEXT: with the time since the beginning.
soak_said()
{
	diag "$(printf '%5d s: ' $((SECONDS - soak_begun)))$*"
}

# soak_round SECONDS
soak_round()
{
	"begin_${condition[0]}" "${condition[@]:1}" || return
	soak_sleep $(($1 / 2))
	"event_${event[0]}" "${event[@]:1}" || return
	soak_sleep $(($1 - $1 / 2))
	"end_${condition[0]}" && soak_recovered &&
		"over_${event[0]}" "${event[@]:1}"
}

# soak SECONDS SEED: rounds, whose conditions last up to an eighth of that.
soak()
{
	local longest=$(($1 < 160 ? $1 / 8 : 20)) seconds n

	soak_begun=$SECONDS
	RANDOM=$2
	for ((n = 1; SECONDS - soak_begun < $1; n++)); do
		draw 1 $longest
		seconds=$drawn
		draw_condition
		draw_event
		soak_said "round $n: ${condition[*]}, for $seconds s; ${event[*]}"
		need "round $n" soak_round "$seconds"
	done
}
