# Makes a mirrored system disk of two data disks, as an installer would (small, and without GRUB),
# and says on the kernel's command line that slot A of it was booted.
# Arguments: the two disks.
set -euo pipefail
disks=("$(realpath "$1")" "$(realpath "$2")")
for disk in "${disks[@]}"; do
    sfdisk --quiet "$disk" <<TABLE
label: gpt
size=1MiB, name=sanstone-bios
size=40MiB, name=sanstone-esp
size=16MiB, name=sanstone-boot-a
size=16MiB, name=sanstone-boot-b
size=160MiB, name=sanstone-system-a
size=160MiB, name=sanstone-system-b
size=32MiB, name=sanstone-state
TABLE
done
udevadm settle
mkdir -p /run/update/esp /run/update/boot
{
    printf '# GRUB Environment Block\nORDER=a b\na_OK=1\na_TRY=1\nb_OK=0\nb_TRY=0\n'
    head -c 1024 /dev/zero | tr '\0' '#'
} | head -c 1024 > /run/update/grubenv
for disk in "${disks[@]}"; do
    mkfs.vfat "${disk}2" > /dev/null
    mount "${disk}2" /run/update/esp
    mkdir /run/update/esp/grub
    cp /run/update/grubenv /run/update/esp/grub/grubenv
    umount /run/update/esp
done
for number in 3 4 5 6 7; do
    mdadm --create "/dev/md/part$number" --run --quiet --metadata=1.0 --level=1 --raid-devices=2 \
        --assume-clean "${disks[0]}$number" "${disks[1]}$number"
done
udevadm settle
printf 'set root_hash=00\nset hash_offset=4096\nset version=0.1.0\n' > /run/update/boot/boot.cfg
mksquashfs /run/update/boot /run/update/boot.img -quiet -noappend > /dev/null
dd if=/run/update/boot.img of=/dev/md/part3 conv=fsync status=none
# Nobody has used slot B yet.
mdadm --stop --quiet /dev/md/part4 /dev/md/part6
udevadm settle
# User-mode Linux names a root, which RAUC would look for among the slots.
sed 's/ root=[^ ]*//' /proc/cmdline > /run/update/cmdline.own
mount --bind /run/update/cmdline.own /proc/cmdline
echo "$(cat /run/update/cmdline.own) sanstone.slot=a" \
    "sanstone.esp=$(blkid --match-tag PARTUUID --output value "${disks[0]}2")" \
    > /run/update/cmdline
mount --bind /run/update/cmdline /proc/cmdline
