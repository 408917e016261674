################################################################################
#
# dm-sanstone-qos
#
################################################################################

DM_SANSTONE_QOS_VERSION = 1.0
DM_SANSTONE_QOS_SITE = $(BR2_EXTERNAL_SANSTONE_PATH)/package/dm-sanstone-qos/src
DM_SANSTONE_QOS_SITE_METHOD = local
DM_SANSTONE_QOS_LICENSE = GPL-2.0
DM_SANSTONE_QOS_LICENSE_FILES = COPYING

$(eval $(kernel-module))
$(eval $(generic-package))
