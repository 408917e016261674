################################################################################
#
# targetcli
#
################################################################################

# Of one time with Buildroot's python-rtslib-fb and python-configshell-fb.
TARGETCLI_VERSION = 2.1.58
TARGETCLI_SITE = $(call github,open-iscsi,targetcli-fb,v$(TARGETCLI_VERSION))
TARGETCLI_SETUP_TYPE = setuptools
TARGETCLI_LICENSE = Apache-2.0
TARGETCLI_LICENSE_FILES = COPYING

$(eval $(python-package))
