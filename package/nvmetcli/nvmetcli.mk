################################################################################
#
# nvmetcli
#
################################################################################

NVMETCLI_VERSION = 0.8
NVMETCLI_SITE = $(call github,linux-nvme,nvmetcli,v$(NVMETCLI_VERSION))
NVMETCLI_SETUP_TYPE = setuptools
NVMETCLI_LICENSE = Apache-2.0
NVMETCLI_LICENSE_FILES = COPYING

$(eval $(python-package))
