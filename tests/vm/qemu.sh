# shellcheck shell=bash
#
# QEMU: how to start a guest and how to talk to its monitor.

# Whether KVM boots this kernel here. A device node alone says nothing: nested
# or emulated KVM may hang in the first instructions, so a boot is tried, for
# ten seconds at most, and the answer is remembered.
qemu_accel()
{
	local kernel=$1 key file

	key=$({ uname -rm; qemu-system-x86_64 --version
		grep -m 1 'model name' /proc/cpuinfo; } | sha256sum)
	file=$kernel/accel-${key:0:16}

	if [ ! -s "$file" ]; then
		if [ -w /dev/kvm ] && qemu_kvm_boots "$kernel"; then
			echo kvm
		else
			echo tcg
		fi >"$file"
	fi
	cat "$file"
}

# A kernel that is told to boot nothing panics, and with panic=-1 reboots, at
# which QEMU exits: one that comes so far works.
qemu_kvm_boots()
{
	timeout -k 1 10 qemu-system-x86_64 -nodefaults -no-user-config \
		-display none -machine q35 -accel kvm -cpu host -m 512M \
		-no-reboot -serial stdio -kernel "$1/vmlinux" \
		-append 'console=ttyS0 panic=-1 root=none' </dev/null 2>&1 |
		grep -q 'Kernel panic'
}

# qemu_start HOST: starts the guest of that number, with its script's output on
# stdout. Reads the settings of the run; sets qemu_pid.
#
# Its channels are FIFOs in the host's directory: "control", the virtio port on
# which PID 1 gives its verdict, and "qmp", the monitor.
qemu_start()
{
	local host=$1 dir=$logs/host$1 accel cpu=host n=0 size disk
	local args=() fifo

	accel=$(qemu_accel "$kernel")
	if [ "$count" = yes ]; then
		# 8 ns an instruction: about what an emulated processor needs.
		args+=(-icount shift=3)
		accel=tcg,thread=single
		cpu=max
	elif [ "$accel" = tcg ]; then
		accel=tcg,thread=multi
		cpu=max
	fi

	for fifo in control qmp; do
		mkfifo "$dir/$fifo.in" "$dir/$fifo.out"
	done

	for size in "${disks[@]}"; do
		truncate -s "$size" "$dir/disk$n"
		n=$((n + 1))
	done
	[ "$system" = no ] || n=$((n + 1))
	for ((disk = 0; disk < n; disk++)); do
		args+=(-drive "file=nbd+unix:///?socket=$dir/disk$disk.sock,id=disk$disk,if=none,format=raw,discard=unmap"
		       -device "virtio-blk-pci,drive=disk$disk,serial=disk$disk")
	done
	if [ "$hosts" -gt 1 ]; then
		args+=(-netdev "$(qemu_wire "$host")"
		       -device "virtio-net-pci,netdev=wire,host_mtu=4200,speed=10000,duplex=full,mac=52:54:00:00:02:0$host")
	fi

	# It does not outlive us, however we end.
	setpriv --pdeathsig TERM timeout -k 5 $((timeout + boot_time)) \
		"$vm_dir/machine" "$dir" \
		qemu-system-x86_64 -nodefaults -no-user-config -display none \
		-machine q35 -accel "$accel" -cpu "$cpu" \
		-m "$mem" -smp "$cpus" -no-reboot \
		-kernel "$kernel/vmlinux" \
		-initrd "$(initrd "$kernel" "$release")" \
		-append "$(qemu_append "$host")" \
		-chardev "file,id=console,path=$dir/console,append=on" \
		-serial chardev:console \
		-chardev "pipe,id=qmp,path=$dir/qmp" -mon chardev=qmp,mode=control \
		-fsdev local,id=root,path=/,security_model=none,readonly=on,multidevs=remap \
		-device virtio-9p-pci,fsdev=root,mount_tag=root \
		-fsdev "local,id=share,path=$logs,security_model=none,multidevs=remap" \
		-device virtio-9p-pci,fsdev=share,mount_tag=share \
		-device virtio-serial-pci \
		-chardev "pipe,id=control,path=$dir/control" \
		-device virtserialport,chardev=control,name=vm.control \
		-chardev file,id=output,path=/dev/stdout \
		-device virtserialport,chardev=output,name=vm.output \
		-device virtio-rng-pci \
		"${args[@]}" </dev/null &
	qemu_pid=$!
}

# Kernel command line. Slow emulation must not look like a lockup, nor the clocks
# like broken ones. An oops ends the run, as nothing seen after it can be
# trusted.
qemu_append()
{
	local letters=({a..z})

	printf '%s ' console=ttyS0 quiet panic=-1 oops=panic mitigations=off \
		tsc=reliable no_timer_check audit=0 watchdog_thresh=30 \
		rcupdate.rcu_cpu_stall_timeout=60 \
		"vm_init=$vm_dir/guest/init" "vm_host=$1"
	[ "$system" = no ] || printf '%s ' net.ifnames=0 "vm_kernel=$kernel" \
		"vm_system=/dev/vd${letters[${#disks[@]}]}"
}

# qemu_monitor HOST hello|quit|stop|cont: has QEMU's monitor do that.
qemu_monitor()
{
	local command=$2 to=$logs/host$1/qmp.in

	[ "$command" != hello ] || command=qmp_capabilities
	command="{\"execute\": \"$command\"}"
	# To open it to write is to wait until QEMU does, too. Whoever tells it to quit
	# must not wait if it just has.
	if [ "$2" = quit ]; then
		echo "$command" 1<>"$to"
	else
		echo "$command" >"$to"
	fi
}

# qemu_restart HOST reset|cut: ends the guest and has it started again (see
# machine). With a cut, what its disks were not told to keep is gone.
#
# QEMU's own reset won't do: it keeps the translated code of the life before, and
# to write over it, as a booting kernel does, then takes minutes.
qemu_restart()
{
	local dir=$logs/host$1

	echo "$2" >"$dir/restart"
	kill -KILL "$(cat "$dir/pid")"
	while [ -e "$dir/restart" ]; do
		sleep 0.1
	done
	qemu_monitor "$1" hello
}

# qemu_await_restart HOST: the guest reboots by itself, at which QEMU ends.
qemu_await_restart()
{
	local dir=$logs/host$1

	echo reset >"$dir/restart"
	touch "$dir/answer"
	while [ -e "$dir/restart" ]; do
		sleep 0.1
	done
	qemu_monitor "$1" hello
}

# The cable between two guests: without a connection, it outlives either.
qemu_wire()
{
	printf 'dgram,id=wire,local.type=unix,local.path=%s,remote.type=unix,remote.path=%s\n' \
		"$logs/wire$1" "$logs/wire$((3 - $1))"
}
