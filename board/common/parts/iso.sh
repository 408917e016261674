#!/bin/sh
# Makes the hybrid ISO. A CD and a USB stick boot the same file, by BIOS (El Torito, MBR) and by UEFI (a
# FAT partition, in El Torito's second entry and in the partition tables).
set -eu
efi=$work/efi.img
mkdir -p "$work/efi/EFI/BOOT" "$work/efi/grub"
cp "$work/iso/sanstone/grub/BOOTX64.EFI" "$work/efi/EFI/BOOT/"
{
    cat "$here/grub/find.cfg"
    # shellcheck disable=SC2016 # a variable of GRUB's
    echo 'configfile $prefix/grub.cfg'
} > "$work/efi/grub/grub.cfg"
find "$work/efi" "$work/iso" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
mkfs.vfat -C --invariant -n SANSTONE "$efi" 4096 > /dev/null
mcopy -p -m -s -i "$efi" "$work/efi/EFI" "$work/efi/grub" ::/

install -m 0644 "$BINARIES_DIR/bzImage" "$work/iso/boot/bzImage"
touch --date="@$SOURCE_DATE_EPOCH" "$work/iso/boot/bzImage" "$work/iso/boot"
xorriso -as mkisofs -quiet -volid SANSTONE -rational-rock -joliet \
    -output "$BINARIES_DIR/sanstone-$version.iso" \
    --grub2-mbr "$work/boot_hybrid.img" -partition_offset 16 \
    -c grub/boot.cat -b grub/grub-eltorito.img -no-emul-boot -boot-load-size 4 -boot-info-table \
    --grub2-boot-info \
    -append_partition 2 0xef "$efi" -appended_part_as_gpt \
    -eltorito-alt-boot -e --interval:appended_partition_2:all:: -no-emul-boot \
    "$work/iso"
