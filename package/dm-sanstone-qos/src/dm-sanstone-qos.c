// SPDX-License-Identifier: GPL-2.0-only
/*
 * Device-mapper target that limits operations and bytes per second, of a device and of groups.
 *
 * Table:    <device> <offset> {<group>[:<iops>:<bytes per second>]}{1,4}
 * Message:  limit <group> <iops> <bytes per second>		(0: no limit)
 * Status:   <clock ns> <groups> {<group> <iops> <bytes per second> <operations> <bytes>
 *				  <waiting> <waited> <waited ns>}...
 *
 * A group has a name. All devices that name it, anywhere in the system, share its rate, one bio
 * each in turn. A bio passes the groups of its device in their order, and waits in each for its
 * turn. The limits in a table are those of a group that the table is first to name; messages
 * change them later, at once and without a suspend.
 *
 * A group's rate is two points of time, for operations and for bytes, up to which its credit is
 * spent. A bio may go when both have passed; then each moves on by what the bio costs. Neither
 * stays behind the present by more than the burst: a timer less late than that loses nothing, and
 * the rate is exact. A bio that costs more than the credit goes into debt, so none is too large.
 *
 * Flushes wait for nothing: they cover what has completed. Discards and their like count as
 * operations, and not as bytes, since they move none. What is suspended lets go all that waits,
 * and its groups go into debt for it.
 *
 * While a group has a limit, status counts operations and bytes of the group, and bios of the
 * device that wait and waited, and how long, by the clock that it tells. What the device's own
 * statistics (diskstats, dm-stats) call latency contains the waiting.
 */

#include <linux/blkdev.h>
#include <linux/device-mapper.h>
#include <linux/hashtable.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/stringhash.h>
#include <linux/version.h>

#define QOS_MAX_GROUPS		4
#define QOS_NAME_LEN		64
#define QOS_SHORTEST_SLEEP	(100 * NSEC_PER_USEC)

static unsigned int burst_ms = 300;
module_param(burst_ms, uint, 0644);
MODULE_PARM_DESC(burst_ms, "Milliseconds of its rate that an idle group saves up");

struct qos_group {
	struct hlist_node node;
	unsigned int users;
	struct hrtimer timer;
	struct work_struct work;
	spinlock_t lock;		/* of what follows but the name */
	u64 iops;			/* 0: no limit */
	u64 bps;
	u64 operations_until;
	u64 bytes_until;
	struct list_head waiting;	/* members with bios, the next one first */
	u64 operations;
	u64 bytes;
	char name[QOS_NAME_LEN];
};

/* A device in a group; under the group's lock. */
struct qos_member {
	struct qos_device *device;
	struct qos_group *group;
	struct list_head waiting;
	struct bio_list bios;
	unsigned int queued;
	u64 waited;
	u64 waited_ns;
};

struct qos_device {
	struct dm_dev *dev;
	sector_t start;
	bool passing;			/* suspended: nothing may wait here */
	unsigned int nr_members;
	struct qos_member members[QOS_MAX_GROUPS];
};

/* Of a bio that waits. */
struct qos_bio {
	struct qos_member *member;
	u64 since;
};

static DEFINE_HASHTABLE(qos_groups, 10);
static DEFINE_MUTEX(qos_groups_lock);	/* of the table, and of the groups' users */
static struct workqueue_struct *qos_wq;

static bool qos_is_limited(struct qos_group *g)
{
	return READ_ONCE(g->iops) || READ_ONCE(g->bps);
}

/* When the next bio may go. */
static u64 qos_ready_at(struct qos_group *g)
{
	return max(g->iops ? g->operations_until : 0, g->bps ? g->bytes_until : 0);
}

static void qos_charge(struct qos_group *g, struct bio *bio, u64 now)
{
	u64 floor = now - min(now, READ_ONCE(burst_ms) * (u64)NSEC_PER_MSEC);
	u64 size = bio_has_data(bio) ? bio->bi_iter.bi_size : 0;

	if (g->iops)
		g->operations_until = max(g->operations_until, floor) +
				      div64_u64(NSEC_PER_SEC, g->iops);
	if (g->bps)
		g->bytes_until = max(g->bytes_until, floor) +
				 div64_u64(size * NSEC_PER_SEC, g->bps);
	g->operations++;
	g->bytes += size;
}

static void qos_sleep(struct qos_group *g, u64 now)
{
	u64 at = max(qos_ready_at(g), now + QOS_SHORTEST_SLEEP);

	hrtimer_start(&g->timer, ns_to_ktime(at), HRTIMER_MODE_ABS);
}

static enum hrtimer_restart qos_timer_fn(struct hrtimer *timer)
{
	struct qos_group *g = container_of(timer, struct qos_group, timer);

	queue_work(qos_wq, &g->work);
	return HRTIMER_NORESTART;
}

static void qos_queue(struct qos_member *m, struct bio *bio, u64 now)
{
	struct qos_bio *qb = dm_per_bio_data(bio, sizeof(*qb));

	qb->member = m;
	qb->since = now;
	bio->bi_opf &= ~REQ_POLLED;	/* whoever submits it later does not poll */
	if (list_empty(&m->group->waiting))
		qos_sleep(m->group, now);
	if (list_empty(&m->waiting))
		list_add_tail(&m->waiting, &m->group->waiting);
	bio_list_add(&m->bios, bio);
	m->queued++;
}

static struct bio *qos_dequeue(struct qos_member *m, u64 now)
{
	struct bio *bio = bio_list_pop(&m->bios);
	struct qos_bio *qb = dm_per_bio_data(bio, sizeof(*qb));

	if (bio_list_empty(&m->bios))
		list_del_init(&m->waiting);
	else
		list_move_tail(&m->waiting, &m->group->waiting);
	m->queued--;
	m->waited++;
	m->waited_ns += now - qb->since;
	qos_charge(m->group, bio, now);
	return bio;
}

/* Whether the bio may go on at once; otherwise it waits in the group. */
static bool qos_enter(struct qos_member *m, struct bio *bio)
{
	struct qos_group *g = m->group;
	unsigned long flags;
	bool goes;
	u64 now;

	if (!qos_is_limited(g))
		return true;
	spin_lock_irqsave(&g->lock, flags);
	now = ktime_get_ns();
	goes = READ_ONCE(m->device->passing) ||
	       (list_empty(&g->waiting) && qos_ready_at(g) <= now);
	if (goes)
		qos_charge(g, bio, now);
	else
		qos_queue(m, bio, now);
	spin_unlock_irqrestore(&g->lock, flags);
	return goes;
}

static bool qos_may_block(struct qos_device *d)
{
	unsigned int i = 0;

	while (i < d->nr_members && !qos_is_limited(d->members[i].group))
		i++;
	return i < d->nr_members;
}

/* Whether the bio has passed all groups from one on; otherwise it may be gone already. */
static bool qos_pass(struct qos_device *d, struct bio *bio, unsigned int first)
{
	for (; first < d->nr_members; first++)
		if (!qos_enter(&d->members[first], bio))
			return false;
	return true;
}

static void qos_work_fn(struct work_struct *work)
{
	struct qos_group *g = container_of(work, struct qos_group, work);
	struct bio_list going = BIO_EMPTY_LIST;
	struct blk_plug plug;
	struct bio *bio;
	u64 now;

	spin_lock_irq(&g->lock);
	now = ktime_get_ns();
	while (!list_empty(&g->waiting) && qos_ready_at(g) <= now)
		bio_list_add(&going, qos_dequeue(list_first_entry(&g->waiting,
								  struct qos_member, waiting), now));
	if (!list_empty(&g->waiting))
		qos_sleep(g, now);
	spin_unlock_irq(&g->lock);

	blk_start_plug(&plug);
	while ((bio = bio_list_pop(&going))) {
		struct qos_bio *qb = dm_per_bio_data(bio, sizeof(*qb));
		struct qos_device *d = qb->member->device;

		/* The device stays: dm waits for the bio before it goes. */
		if (qos_pass(d, bio, qb->member - d->members + 1))
			submit_bio_noacct(bio);
	}
	blk_finish_plug(&plug);
}

static struct qos_group *qos_group_get(const char *name, u64 iops, u64 bps)
{
	u32 hash = full_name_hash(NULL, name, strlen(name));
	struct qos_group *g;

	mutex_lock(&qos_groups_lock);
	hash_for_each_possible(qos_groups, g, node, hash)
		if (!strcmp(g->name, name))
			goto out;
	g = kzalloc(sizeof(*g), GFP_KERNEL);
	if (!g)
		goto unlock;
	strscpy(g->name, name, sizeof(g->name));
	g->iops = iops;
	g->bps = bps;
	spin_lock_init(&g->lock);
	INIT_LIST_HEAD(&g->waiting);
	INIT_WORK(&g->work, qos_work_fn);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&g->timer, qos_timer_fn, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_init(&g->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	g->timer.function = qos_timer_fn;
#endif
	hash_add(qos_groups, &g->node, hash);
out:
	g->users++;
unlock:
	mutex_unlock(&qos_groups_lock);
	return g;
}

static void qos_group_put(struct qos_group *g)
{
	mutex_lock(&qos_groups_lock);
	if (!--g->users) {
		hash_del(&g->node);
		/* Nothing waits any more, so that neither begins the other anew. */
		hrtimer_cancel(&g->timer);
		cancel_work_sync(&g->work);
		kfree(g);
	}
	mutex_unlock(&qos_groups_lock);
}

static struct qos_member *qos_member_of(struct qos_device *d, const char *name)
{
	unsigned int i;

	for (i = 0; i < d->nr_members; i++)
		if (!strcmp(d->members[i].group->name, name))
			return &d->members[i];
	return NULL;
}

/* Join a group, "<name>[:<iops>:<bytes per second>]". */
static int qos_join(struct qos_device *d, char *argument)
{
	struct qos_member *m = &d->members[d->nr_members];
	char *name = strsep(&argument, ":");
	u64 iops = 0, bps = 0;
	char dummy;

	if (!*name || strlen(name) >= QOS_NAME_LEN || qos_member_of(d, name))
		return -EINVAL;
	if (argument && sscanf(argument, "%llu:%llu%c", &iops, &bps, &dummy) != 2)
		return -EINVAL;
	m->group = qos_group_get(name, iops, bps);
	if (!m->group)
		return -ENOMEM;
	m->device = d;
	INIT_LIST_HEAD(&m->waiting);
	bio_list_init(&m->bios);
	d->nr_members++;
	return 0;
}

static void qos_dtr(struct dm_target *ti)
{
	struct qos_device *d = ti->private;

	while (d->nr_members)
		qos_group_put(d->members[--d->nr_members].group);
	if (d->dev)
		dm_put_device(ti, d->dev);
	kfree(d);
}

static int qos_ctr(struct dm_target *ti, unsigned int argc, char **argv)
{
	struct qos_device *d;
	unsigned int i;
	u64 start;
	int r;

	if (argc < 3 || argc > 2 + QOS_MAX_GROUPS) {
		ti->error = "Invalid argument count";
		return -EINVAL;
	}
	if (kstrtou64(argv[1], 10, &start)) {
		ti->error = "Invalid device sector";
		return -EINVAL;
	}
	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return -ENOMEM;
	ti->private = d;
	d->start = start;
	r = dm_get_device(ti, argv[0], dm_table_get_mode(ti->table), &d->dev);
	if (r) {
		ti->error = "Device lookup failed";
		goto bad;
	}
	for (i = 2; i < argc; i++) {
		r = qos_join(d, argv[i]);
		if (r) {
			ti->error = "Invalid group";
			goto bad;
		}
	}
	ti->num_flush_bios = 1;
	ti->num_discard_bios = 1;
	ti->num_secure_erase_bios = 1;
	ti->num_write_zeroes_bios = 1;
	ti->per_io_data_size = sizeof(struct qos_bio);
	return 0;
bad:
	qos_dtr(ti);
	return r;
}

static int qos_map(struct dm_target *ti, struct bio *bio)
{
	struct qos_device *d = ti->private;

	bio_set_dev(bio, d->dev->bdev);
	if (!bio_sectors(bio))		/* a flush */
		return DM_MAPIO_REMAPPED;
	bio->bi_iter.bi_sector = d->start + dm_target_offset(ti, bio->bi_iter.bi_sector);
	if ((bio->bi_opf & REQ_NOWAIT) && qos_may_block(d)) {
		bio_wouldblock_error(bio);	/* it comes again, and may wait then */
		return DM_MAPIO_SUBMITTED;
	}
	return qos_pass(d, bio, 0) ? DM_MAPIO_REMAPPED : DM_MAPIO_SUBMITTED;
}

static void qos_presuspend(struct dm_target *ti)
{
	struct qos_device *d = ti->private;
	struct bio_list going = BIO_EMPTY_LIST;
	struct bio *bio;
	unsigned int i;

	/* Whoever has a group's lock after this knows of it; what waits already is let go. */
	WRITE_ONCE(d->passing, true);
	for (i = 0; i < d->nr_members; i++) {
		struct qos_member *m = &d->members[i];

		spin_lock_irq(&m->group->lock);
		while (!bio_list_empty(&m->bios))
			bio_list_add(&going, qos_dequeue(m, ktime_get_ns()));
		spin_unlock_irq(&m->group->lock);
	}
	while ((bio = bio_list_pop(&going)))
		submit_bio_noacct(bio);
}

static void qos_resume(struct dm_target *ti)
{
	WRITE_ONCE(((struct qos_device *)ti->private)->passing, false);
}

static int qos_message(struct dm_target *ti, unsigned int argc, char **argv, char *result,
		       unsigned int maxlen)
{
	struct qos_member *m;
	struct qos_group *g;
	u64 iops, bps;

	if (argc != 4 || strcasecmp(argv[0], "limit") || kstrtou64(argv[2], 10, &iops) ||
	    kstrtou64(argv[3], 10, &bps))
		return -EINVAL;
	m = qos_member_of(ti->private, argv[1]);
	if (!m)
		return -ENOENT;
	g = m->group;
	spin_lock_irq(&g->lock);
	WRITE_ONCE(g->iops, iops);
	WRITE_ONCE(g->bps, bps);
	/* A debt at the old rate could take any time at the new one. */
	g->operations_until = min(g->operations_until, ktime_get_ns());
	g->bytes_until = min(g->bytes_until, ktime_get_ns());
	spin_unlock_irq(&g->lock);
	queue_work(qos_wq, &g->work);
	return 0;
}

static void qos_status(struct dm_target *ti, status_type_t type, unsigned int flags, char *result,
		       unsigned int maxlen)
{
	struct qos_device *d = ti->private;
	unsigned int sz = 0, i;

	*result = '\0';
	if (type == STATUSTYPE_INFO)
		DMEMIT("%llu %u", ktime_get_ns(), d->nr_members);
	else if (type == STATUSTYPE_TABLE)
		DMEMIT("%s %llu", d->dev->name, (unsigned long long)d->start);
	for (i = 0; i < d->nr_members; i++) {
		struct qos_member *m = &d->members[i];
		struct qos_group *g = m->group;

		spin_lock_irq(&g->lock);
		if (type == STATUSTYPE_INFO)
			DMEMIT(" %s %llu %llu %llu %llu %u %llu %llu", g->name, g->iops, g->bps,
			       g->operations, g->bytes, m->queued, m->waited, m->waited_ns);
		else if (type == STATUSTYPE_TABLE)
			DMEMIT(" %s:%llu:%llu", g->name, g->iops, g->bps);
		spin_unlock_irq(&g->lock);
	}
}

static int qos_iterate_devices(struct dm_target *ti, iterate_devices_callout_fn fn, void *data)
{
	struct qos_device *d = ti->private;

	return fn(ti, d->dev, d->start, ti->len, data);
}

static struct target_type qos_target = {
	.name = "sanstone-qos",
	.version = { 1, 0, 0 },
	.features = DM_TARGET_PASSES_INTEGRITY | DM_TARGET_PASSES_CRYPTO | DM_TARGET_NOWAIT,
	.module = THIS_MODULE,
	.ctr = qos_ctr,
	.dtr = qos_dtr,
	.map = qos_map,
	.presuspend = qos_presuspend,
	.presuspend_undo = qos_resume,
	.resume = qos_resume,
	.message = qos_message,
	.status = qos_status,
	.iterate_devices = qos_iterate_devices,
};

static int __init qos_init(void)
{
	int r;

	qos_wq = alloc_workqueue("sanstone-qos", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	if (!qos_wq)
		return -ENOMEM;
	r = dm_register_target(&qos_target);
	if (r)
		destroy_workqueue(qos_wq);
	return r;
}

static void __exit qos_exit(void)
{
	dm_unregister_target(&qos_target);
	destroy_workqueue(qos_wq);
}

module_init(qos_init);
module_exit(qos_exit);

MODULE_AUTHOR("Sanstone");
MODULE_DESCRIPTION(DM_NAME " target that limits operations and bytes per second");
MODULE_LICENSE("GPL");
