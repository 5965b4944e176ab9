# What the processors do for a million I/Os: a line for each row and peer. Input: an
# object for each measurement.

include "median";

def per_million($field): if any(.[$field] == null) then "-"
	else map(.[$field] * 1e6 / .ios) | median | round | tostring end;

# Of whoever uses the daemon, wherever that is.
def woken: if .[0].peer | IN("rdmablk", "before") | not then "-"
	else map(.woken = (.target_daemon_woken // .daemon_woken)) | per_million("woken") end;

["user_s", "system_s", "softirq_s", "switches"] as $fields |
(["row", "peer", "user", "system", "softirq", "switches", "target: user", "system",
  "softirq", "switches", "daemon woken"] | join("\t")),
(group_by([.row, .peer])[] | . as $all |
 [.[0].row, .[0].peer] +
 [($fields[], "target_" + $fields[]) as $field | $all | per_million($field)] + [woken] |
 join("\t"))
