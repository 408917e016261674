include $(sort $(wildcard $(BR2_EXTERNAL_SANSTONE_PATH)/package/*/*.mk))

# Buildroot's recipe builds it for errors of memory alone, and of PCIe.
RASDAEMON_CONF_OPTS += --enable-mce --enable-extlog --enable-memory-failure
