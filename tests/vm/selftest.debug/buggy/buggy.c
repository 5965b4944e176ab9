// SPDX-License-Identifier: GPL-2.0
/*
 * A module with bugs, one for each kind that the debug kernel is there to find:
 * insmod buggy.ko bug=KIND.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static char *bug = "none";
module_param(bug, charp, 0);

static DEFINE_MUTEX(buggy_a);
static DEFINE_MUTEX(buggy_b);
static DEFINE_SPINLOCK(buggy_lock);
static int buggy_shift = 64;

static void buggy_leak(void)
{
	void *memory = kmalloc(4000, GFP_KERNEL);

	/* Has its address forgotten. */
	OPTIMIZER_HIDE_VAR(memory);
}

static void buggy_use_after_free(void)
{
	char *memory = kmalloc(100, GFP_KERNEL);

	if (!memory)
		return;
	OPTIMIZER_HIDE_VAR(memory);
	kfree(memory);
	READ_ONCE(*memory);
}

static void buggy_lock_order(void)
{
	mutex_lock(&buggy_a);
	mutex_lock(&buggy_b);
	mutex_unlock(&buggy_b);
	mutex_unlock(&buggy_a);

	mutex_lock(&buggy_b);
	mutex_lock(&buggy_a);
	mutex_unlock(&buggy_a);
	mutex_unlock(&buggy_b);
}

static void buggy_sleep(void)
{
	spin_lock(&buggy_lock);
	msleep(20);
	spin_unlock(&buggy_lock);
}

static void buggy_undefined(void)
{
	OPTIMIZER_HIDE_VAR(buggy_shift);
	WRITE_ONCE(buggy_shift, 1 << buggy_shift);
}

static void buggy_timer_done(struct timer_list *timer)
{
}

struct buggy_timer {
	struct timer_list timer;
};

static void buggy_free_active(void)
{
	struct buggy_timer *memory = kmalloc(sizeof(*memory), GFP_KERNEL);

	if (!memory)
		return;
	timer_setup(&memory->timer, buggy_timer_done, 0);
	mod_timer(&memory->timer, jiffies + 1000 * HZ);
	kfree(memory);
}

static const struct {
	const char *name;
	void (*run)(void);
} buggy_bugs[] = {
	{ "leak",		buggy_leak },
	{ "use-after-free",	buggy_use_after_free },
	{ "lock-order",		buggy_lock_order },
	{ "sleep",		buggy_sleep },
	{ "undefined",		buggy_undefined },
	{ "free-active",	buggy_free_active },
};

static int __init buggy_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(buggy_bugs); i++)
		if (!strcmp(bug, buggy_bugs[i].name))
			buggy_bugs[i].run();
	return 0;
}

static void __exit buggy_exit(void)
{
}

module_init(buggy_init);
module_exit(buggy_exit);

MODULE_DESCRIPTION("Bugs to be found");
MODULE_LICENSE("GPL");
