################################################################################
#
# sanstone
#
################################################################################

SANSTONE_VERSION = $(call qstrip,$(shell sed -n 's/^version = //p' \
	$(BR2_EXTERNAL_SANSTONE_PATH)/api/pyproject.toml))
SANSTONE_SITE = $(BR2_EXTERNAL_SANSTONE_PATH)/api
SANSTONE_SITE_METHOD = local
SANSTONE_SETUP_TYPE = setuptools
SANSTONE_LICENSE = Apache-2.0
SANSTONE_LICENSE_FILES = LICENSE

# The licence lies in the root of the repository, beside the distribution.
define SANSTONE_COPY_LICENSE
	$(INSTALL) -m 0644 $(BR2_EXTERNAL_SANSTONE_PATH)/LICENSE $(@D)/LICENSE
endef
SANSTONE_POST_RSYNC_HOOKS += SANSTONE_COPY_LICENSE

# The same as overlay/usr/lib/sysusers.d/sanstone.conf, in Buildroot's form.
define SANSTONE_USERS
	sanstone -1 sanstone -1 * /var/lib/sanstone - - Sanstone's API
	- -1 sanstone-shell 799 * - - - Accounts of the array
endef

$(eval $(python-package))
