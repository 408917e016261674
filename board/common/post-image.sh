#!/bin/sh
# Run by Buildroot when kernel and root filesystem are there: makes the initramfs of a live boot and
# the hybrid ISO. A CD and a USB stick boot the same file, by BIOS (El Torito, MBR) and by UEFI (a FAT
# partition, in El Torito's second entry and in the partition tables).
set -e
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$repository/api/pyproject.toml")
epoch=${SOURCE_DATE_EPOCH:-$(date +%s)}
export SOURCE_DATE_EPOCH="$epoch"
work=$BUILD_DIR/sanstone-iso
iso=$BINARIES_DIR/sanstone-$version.iso
rm -rf "$work"
mkdir -p "$work/initramfs" "$work/iso"

# Copy a program of the target and the libraries that it needs into the initramfs.
copy_program() {
    install -D -m 0755 "$TARGET_DIR/$1" "$work/initramfs/$1"
    for library in $(readelf -d "$TARGET_DIR/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        [ -e "$work/initramfs/lib/$library" ] || copy_program "lib/$library"
    done
}

make_initramfs() (
    cd "$work/initramfs"
    mkdir bin dev lib proc sys
    ln -s lib lib64
    copy_program bin/busybox
    copy_program lib/ld-linux-x86-64.so.2
    ln -s busybox bin/sh
    cp "$here/live/init" "$here/live/var-lib-sanstone.mount" .
    chmod 0755 init
    echo "$version" > version
    find . -exec touch --no-dereference --date="@$epoch" {} +
    find . | LC_ALL=C sort | cpio --quiet --create --format=newc --owner=0:0 --reproducible |
        gzip -9n > "$work/iso/boot/initramfs"
)

make_efi_partition() {
    efi=$work/efi.img
    rm -f "$efi"
    mkfs.vfat -C --invariant -n SANSTONE "$efi" 4096 > /dev/null
    find "$BINARIES_DIR/efi-part" -exec touch --date="@$epoch" {} +
    mcopy -p -m -s -i "$efi" "$BINARIES_DIR/efi-part/EFI" ::/
}

PATH=$HOST_DIR/bin:$HOST_DIR/sbin:$PATH
mkdir -p "$work/iso/boot/grub" "$work/iso/sanstone"
make_initramfs
make_efi_partition
echo "$version" > "$work/iso/sanstone/version"
ln "$BINARIES_DIR/rootfs.squashfs" "$work/iso/sanstone/rootfs.squashfs"
install -m 0644 "$BINARIES_DIR/bzImage" "$work/iso/boot/bzImage"
install -m 0644 "$BINARIES_DIR/grub-eltorito.img" "$work/iso/boot/grub/grub-eltorito.img"
sed "s/@VERSION@/$version/" "$here/iso/grub.cfg" > "$work/iso/boot/grub/grub.cfg"

xorriso -as mkisofs -quiet -volid SANSTONE -rational-rock -joliet -output "$iso" \
    --grub2-mbr "$BUILD_DIR"/grub2-*/build-i386-pc/grub-core/boot_hybrid.img -partition_offset 16 \
    -b boot/grub/grub-eltorito.img -no-emul-boot -boot-load-size 4 -boot-info-table \
    --grub2-boot-info \
    -append_partition 2 0xef "$work/efi.img" -appended_part_as_gpt \
    -eltorito-alt-boot -e --interval:appended_partition_2:all:: -no-emul-boot \
    "$work/iso"
