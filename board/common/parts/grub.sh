#!/bin/sh
# Makes GRUB, for the medium and for installed systems.
#
# BOOTX64.EFI serves both: it reads /grub/grub.cfg of where it was loaded from. That is the FAT partition
# that it lies in, whose menu on a medium goes on to the medium's own; or the medium itself, if a CD.
# For a BIOS there are two: the medium's looks for the medium, and core.img reads partition 2 of the disk
# that it was loaded from, whatever else is attached.
set -eu
grub=$work/iso/sanstone/grub
platforms=$(echo "$BUILD_DIR"/grub2-*)
pc=$platforms/build-i386-pc/grub-core
efi=$platforms/build-x86_64-efi/grub-core
medium="configfile echo iso9660 linux normal part_gpt part_msdos search search_fs_file serial
    sleep terminal test"
installed="configfile echo fat halt linux loadenv normal part_gpt probe reboot regexp serial sleep
    squash4 terminal test"

# shellcheck disable=SC2086 # modules are words
{
    grub-mkimage -O i386-pc -d "$pc" -p /grub -c "$here/grub/find.cfg" \
        -o "$work/medium.img" biosdisk $medium
    grub-mkimage -O i386-pc -d "$pc" -p '(,gpt2)/grub' -o "$grub/core.img" biosdisk $installed
    grub-mkimage -O x86_64-efi -d "$efi" -p /grub -o "$grub/BOOTX64.EFI" \
        boot efi_gop $medium $installed
}
cat "$pc/cdboot.img" "$work/medium.img" > "$work/iso/grub/grub-eltorito.img"
cp "$pc/boot.img" "$grub/mbr.img"
cp "$pc/boot_hybrid.img" "$work/"
cp "$here/grub/installed.cfg" "$grub/grub.cfg"
sed "s/@VERSION@/$version/" "$here/grub/medium.cfg" > "$work/iso/grub/grub.cfg"
