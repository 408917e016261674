################################################################################
#
# sanstone
#
################################################################################

SANSTONE_VERSION = $(call qstrip,$(shell sed -n 's/^__version__ = //p' \
	$(BR2_EXTERNAL_SANSTONE_PATH)/api/sanstone/__init__.py))
SANSTONE_SITE = $(BR2_EXTERNAL_SANSTONE_PATH)/api
SANSTONE_SITE_METHOD = local
SANSTONE_SETUP_TYPE = setuptools
SANSTONE_LICENSE = Apache-2.0
SANSTONE_LICENSE_FILES = LICENSE $(addprefix swagger-ui-dist/,$(SANSTONE_SWAGGER_UI_LICENSES))

# Files for browsers are built outside Buildroot, which has no Node.js of its own making, and with
# them the Ansible collection: `make image` does so before. The licences of what files for browsers
# contain are in them, licences.json, and on a page.
SANSTONE_WEBUI = $(BR2_EXTERNAL_SANSTONE_PATH)/webui
SANSTONE_COLLECTION = $(BR2_EXTERNAL_SANSTONE_PATH)/output/collection/sanstone-array.tar.gz
# The last one tells the licences of what swagger-ui-bundle.js consists of.
SANSTONE_SWAGGER_UI_LICENSES = LICENSE NOTICE swagger-ui-bundle.js.LICENSE.txt

# The licence lies in the root of the repository, beside the distribution.
define SANSTONE_COPY_LICENSES
	$(INSTALL) -m 0644 $(BR2_EXTERNAL_SANSTONE_PATH)/LICENSE $(@D)/LICENSE
	$(INSTALL) -D -m 0644 -t $(@D)/swagger-ui-dist \
		$(addprefix $(SANSTONE_WEBUI)/node_modules/swagger-ui-dist/,$(SANSTONE_SWAGGER_UI_LICENSES))
endef
SANSTONE_POST_RSYNC_HOOKS += SANSTONE_COPY_LICENSES

define SANSTONE_INSTALL_WEB_FILES
	$(INSTALL) -D -m 0644 -t $(TARGET_DIR)/usr/share/sanstone/docs/api \
		$(SANSTONE_WEBUI)/node_modules/swagger-ui-dist/swagger-ui.css \
		$(SANSTONE_WEBUI)/node_modules/swagger-ui-dist/swagger-ui-bundle.js \
		$(SANSTONE_WEBUI)/node_modules/swagger-ui-dist/favicon-32x32.png
	rm -rf $(TARGET_DIR)/usr/share/sanstone/web
	mkdir -p $(TARGET_DIR)/usr/share/sanstone/web
	cp -r $(SANSTONE_WEBUI)/dist/. $(TARGET_DIR)/usr/share/sanstone/web/
	$(INSTALL) -D -m 0644 -t $(TARGET_DIR)/usr/share/sanstone/docs/ansible $(SANSTONE_COLLECTION)
endef
SANSTONE_POST_INSTALL_TARGET_HOOKS += SANSTONE_INSTALL_WEB_FILES

# The same as overlay/usr/lib/sysusers.d/sanstone.conf, in Buildroot's form.
define SANSTONE_USERS
	sanstone -1 sanstone -1 * /var/lib/sanstone - - Sanstone's API
	sanstone-snmp -1 sanstone-snmp -1 * - - - SNMP agent
	- -1 sanstone-shell 799 * - - - Accounts of the array
	- -1 clock -1 * - - - Devices of clocks, by a rule of udev's
endef

$(eval $(python-package))
