/* What most files of the network and of BPF include, for `compiler`. */
#include "any.h"

/* Messages of functions in headers begin with it; each file has its own afterwards. */
#define KBUILD_MODNAME "kernel"

#include <linux/bpf.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if_vlan.h>
#include <net/addrconf.h>
#include <net/genetlink.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ip_fib.h>
#include <net/ipv6.h>
#include <net/netfilter/nf_conntrack.h>
#include <net/netfilter/nf_tables.h>
#include <net/netlink.h>
#include <net/route.h>
#include <net/rtnetlink.h>
#include <net/sock.h>
#include <net/tcp.h>
#include <net/udp.h>
#include <net/xfrm.h>

#undef KBUILD_MODNAME
