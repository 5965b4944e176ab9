# What the processors do for a million I/Os: a line for each row and peer. Input: an
# object for each measurement.

include "median";

def per_million($field): if any(has($field) | not) then "-"
	else map(.[$field] * 1e6 / .ios) | median | round | tostring end;

def columns($prefix): ["user_s", "system_s", "softirq_s", "switches"] | map($prefix + .);

(["row", "peer", "user", "system", "softirq", "switches", "target: user", "system",
 "softirq", "switches", "daemon woken"] | join("\t")),
(group_by([.row, .peer])[] | . as $all |
 [.[0].row, .[0].peer] + (columns("") + columns("target_") | map(. as $field | $all | per_million($field))) +
 [if .[0].peer == "rdmablk" then
	if any(has("target_daemon_woken")) then per_million("target_daemon_woken")
	else per_million("daemon_woken") end
  else "-" end] | join("\t"))
