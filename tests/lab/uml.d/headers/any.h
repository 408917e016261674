/* What most files of the kernel include, for `compiler`. */
#include <linux/kconfig.h>
#include <linux/compiler_types.h>

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/mm.h>
#include <linux/blkdev.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/seq_file.h>
#include <linux/interrupt.h>
#include <linux/workqueue.h>
#include <linux/uaccess.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/pagemap.h>
#include <linux/ptrace.h>
#include <linux/rtnetlink.h>
#include <linux/vmalloc.h>

/* It is included at each call of the compiler, and refuses to be included twice. */
#undef __LINUX_COMPILER_VERSION_H
