# IOPS and 99th percentile of 4k random READs over depth. Called by report with
#
#	gnuplot -c plot.gp DATA SVG
#
# DATA has a block for each peer: its name, then lines of depth, IOPS, p99 in us.

set terminal svg size 900,420 font "sans-serif,12"
set output ARG2
stats ARG1 using 1 nooutput
blocks = STATS_blocks

set logscale xy 2
set xlabel "depth"
set grid
set key left top
set multiplot layout 1,2
set ylabel "IOPS"
plot for [i=0:blocks-1] ARG1 index i using 1:2 with linespoints title columnheader(1)
set ylabel "p99, microseconds"
plot for [i=0:blocks-1] ARG1 index i using 1:3 with linespoints title columnheader(1)
unset multiplot
