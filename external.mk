include $(sort $(wildcard $(BR2_EXTERNAL_SANSTONE_PATH)/package/*/*.mk))
