/* What most files of RDMA include, for `compiler`. */
#include "net.h"

#define KBUILD_MODNAME "kernel"

#include <linux/dma-mapping.h>
#include <linux/pci.h>
#include <rdma/ib_addr.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_verbs.h>
#include <rdma/iw_cm.h>
#include <rdma/rdma_cm.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>
#include <rdma/uverbs_ioctl.h>
#include <rdma/uverbs_std_types.h>

#undef KBUILD_MODNAME
