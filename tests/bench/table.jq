# The table of a run. Input: the names of rows, in order. $results: an object for
# each measurement. Ratios are taken within a round, and are given as the median and,
# in brackets, the least and the largest; better is what did better of nvme-rdma and
# RNBD.

include "median";

def digits(n): . * pow(10; n) | round / pow(10; n) | tostring;
def spread: if length == 0 then "-"
	    else "\(median | digits(2)) [\(min | digits(2))-\(max | digits(2))]" end;

# Of a row's results: $field of rdmablk over pick of the same of others, by round.
def ratios($field; $others; pick):
	group_by(.round) | map(
		(map(select(.peer == "rdmablk")) | first) as $own |
		map(select(.peer | IN($others[])) | .[$field]) |
		select($own and length > 0) | $own[$field] / pick);

["rdmablk", "before", "nvme-rdma", "rnbd", "nvme-tcp", "nbd", "verbs", "local"] as $known |
($known | map(select(IN($results[].peer)))) as $peers |
("before" | IN($peers[])) as $before |
(["row"] + $peers + ["p99 us:"] + $peers +
 ["IOPS/better", "IOPS/verbs", "p99/better"] +
 if $before then ["IOPS/before"] else [] end | join("\t")),
(.[] as $row | ($results | map(select(.row == $row))) | select(length > 0) | . as $all |
 def column($field): $peers | map(. as $peer | $all |
	map(select(.peer == $peer) | .[$field]) |
	if length == 0 then "-" else median | round | tostring end);
 [$row] + column("iops") + [""] + column("p99_us") +
 ($all | [(ratios("iops"; ["nvme-rdma", "rnbd"]; max) | spread),
	  (ratios("iops"; ["verbs"]; max) | spread),
	  (ratios("p99_us"; ["nvme-rdma", "rnbd"]; min) | spread)] +
	 if $before then [ratios("iops"; ["before"]; max) | spread] else [] end) |
 join("\t"))
