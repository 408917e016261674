#!/bin/sh
# Creates the files of a slot: system.img, the root filesystem with its dm-verity hash tree, and
# boot.img, which GRUB boots it from. GRUB reads squashfs of gzip, and none of zstd.
set -eu
sanstone=$work/iso/sanstone
boot=$work/boot
mkdir "$boot"
cp "$BINARIES_DIR/rootfs.squashfs" "$sanstone/system.img"
python3 -m image.verity "$sanstone/system.img" > "$boot/boot.cfg"
echo "version=$version" >> "$boot/boot.cfg"
schema=$(python3 -m image.revisions "$repository/api/sanstone/migrations/versions")
echo "schema='$schema'" >> "$boot/boot.cfg"
install -m 0644 "$BINARIES_DIR/bzImage" "$boot/bzImage"
cp "$work/iso/boot/initramfs" "$boot/initramfs"
find "$boot" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
mksquashfs "$boot" "$sanstone/boot.img" -comp gzip -all-root -no-xattrs -noappend -no-progress -quiet
