################################################################################
#
# thin-provisioning-tools
#
################################################################################

THIN_PROVISIONING_TOOLS_VERSION = 0.9.0
THIN_PROVISIONING_TOOLS_SITE = $(call github,jthornber,thin-provisioning-tools,v$(THIN_PROVISIONING_TOOLS_VERSION))
THIN_PROVISIONING_TOOLS_LICENSE = GPL-3.0+
THIN_PROVISIONING_TOOLS_LICENSE_FILES = COPYING
THIN_PROVISIONING_TOOLS_DEPENDENCIES = boost expat libaio
# The sources come without a configure script.
THIN_PROVISIONING_TOOLS_AUTORECONF = YES
# Else -O8.
THIN_PROVISIONING_TOOLS_CONF_OPTS = --with-optimisation=-O2
# The Makefile puts V before each command; a 1 that Buildroot was given would run as a program. Of
# boost only headers are used, yet it would link boost_iostreams.
THIN_PROVISIONING_TOOLS_MAKE_OPTS = V= LIBS="-laio -lexpat -ldl"
THIN_PROVISIONING_TOOLS_INSTALL_TARGET_OPTS = DESTDIR=$(TARGET_DIR) STRIP=true install

$(eval $(autotools-package))
