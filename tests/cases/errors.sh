# shellcheck shell=bash
#
# For the durability-error-* cases, after lib.sh, main.sh, operator.sh, power.sh and
# durability.sh: a backing store that fails, and what the operator sees of it.

retry()
{
	rbdctl export retry disk
}

# error_happens REGEX BREAK: a function of the case; what is said matches REGEX.
error_happens()
{
	model create
	ok 'it is used' model run -s 1 -n 100
	model_run -s 2 -e
	some_time $user
	need "the backing fails: $2" "$2"
	wait $user
	is $? 0 'its user sees an error'
	fails 'a flush fails' flush
	like "$(exported .error.message)" "$1" 'the export says why'
	like "$(rbdctl export show disk)" "$1" 'to people, too'
	ok 'what was written is there all the same' model check
}

# error_ends: the cause is gone, but nobody knows yet.
error_ends()
{
	fails 'flushes go on failing' flush
	ok 'until it is tried again' retry
	is "$(exported .error.message)" null 'there is no error any more'
	ok 'a flush succeeds' model flush
	ok 'everything is there' model check
}

# error_case REGEX BREAK MEND: as long as the cause is there, it stays.
error_case()
{
	error_happens "$1" "$2"
	says 1 "$1" 'to try again is no use' retry
	need "the cause is gone: $3" "$3"
	error_ends
}

# Everything is in the backing store.
nothing_dropped()
{
	lose_power
	need 'the target has lost its power, and has it back' regain_power
	need 'the device is attached again' reuse
	ok 'nothing was dropped' model check
}
