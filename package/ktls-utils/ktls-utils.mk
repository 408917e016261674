################################################################################
#
# ktls-utils
#
################################################################################

KTLS_UTILS_VERSION = 1.0.0
KTLS_UTILS_SITE = $(call github,oracle,ktls-utils,v$(KTLS_UTILS_VERSION))
KTLS_UTILS_LICENSE = GPL-2.0
KTLS_UTILS_LICENSE_FILES = COPYING
KTLS_UTILS_DEPENDENCIES = gnutls host-pkgconf keyutils libglib2 libnl
# The sources come without a configure script.
KTLS_UTILS_AUTORECONF = YES
# It looks for a file of the machine that builds; of QUIC nobody makes use.
KTLS_UTILS_CONF_ENV = ac_cv_file__usr_include_linux_quic_h=no

$(eval $(autotools-package))
