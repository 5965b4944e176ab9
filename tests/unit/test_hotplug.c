// SPDX-License-Identifier: GPL-2.0
/*
 * What uevents say of RDMA devices that go away (target/hotplug.c).
 */
#include "test.h"

#include "hotplug.h"

#define PATH	"/devices/virtual/infiniband_verbs/uverbs1"

/* A string literal ends with one zero byte more than its strings do. */
#define REMOVED(uevent)	hotplug_removed(uevent, sizeof(uevent))

static void a_device_goes(void **state)
{
	(void)state;
	assert_string_equal(REMOVED("remove@" PATH "\0ACTION=remove\0DEVPATH="
				    PATH "\0SUBSYSTEM=infiniband_verbs\0SEQNUM=7"),
			    "uverbs1");
	assert_string_equal(REMOVED("SUBSYSTEM=infiniband_verbs\0DEVPATH="
				    PATH "\0ACTION=remove"), "uverbs1");
}

static void something_else_happens(void **state)
{
	(void)state;
	assert_null(REMOVED("add@" PATH "\0ACTION=add\0DEVPATH="
			    PATH "\0SUBSYSTEM=infiniband_verbs"));
	assert_null(REMOVED("ACTION=remove\0DEVPATH=/devices/virtual/net/eth0\0"
			    "SUBSYSTEM=net"));
	assert_null(REMOVED("ACTION=remove\0SUBSYSTEM=infiniband_verbs_too\0"
			    "DEVPATH=" PATH));
}

static void nonsense(void **state)
{
	(void)state;
	assert_null(REMOVED(""));
	assert_null(REMOVED("ACTION"));
	assert_null(REMOVED("ACTION=remove\0SUBSYSTEM=infiniband_verbs"));
	assert_null(REMOVED("ACTION=remove\0SUBSYSTEM=infiniband_verbs\0"
			    "DEVPATH=uverbs1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_goes),
		cmocka_unit_test(something_else_happens),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests_name("hotplug", tests, NULL, NULL);
}
