################################################################################
#
# ktls-utils
#
################################################################################

KTLS_UTILS_VERSION = 1.4.0
KTLS_UTILS_SITE = $(call github,oracle,ktls-utils,ktls-utils-$(KTLS_UTILS_VERSION))
KTLS_UTILS_LICENSE = GPL-2.0
KTLS_UTILS_LICENSE_FILES = COPYING
KTLS_UTILS_DEPENDENCIES = gnutls host-pkgconf keyutils libglib2 libnl
# The sources come without a configure script.
KTLS_UTILS_AUTORECONF = YES
# No documents, also where the machine that builds has Doxygen. It asks for -Werror, and what newer
# compilers and C libraries warn of must not end a build.
KTLS_UTILS_CONF_ENV = ac_cv_prog_DOXYGEN=false CFLAGS="$(TARGET_CFLAGS) -Wno-error"

$(eval $(autotools-package))
