#!/bin/sh
# Makes the initramfs: busybox, what the assembly of a system disk takes, and the scripts of
# `initramfs/`. Before it, in an archive of its own and not compressed, lies the microcode of processors,
# where the kernel looks for it before it has decompressed anything (Documentation/arch/x86/microcode.rst).
set -eu
root=$work/initramfs

# Copy a program of the target, and the libraries that it needs, into the initramfs.
copy_program() {
    path=$(find_in_target "$1")
    [ -e "$root/$path" ] && return
    install -D -m 0755 "$TARGET_DIR/$path" "$root/$path"
    for library in $(readelf -d "$TARGET_DIR/$path" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        copy_program "$library"
    done
}

# Print where the target has a program or a library.
find_in_target() {
    for folder in bin sbin usr/bin usr/sbin lib usr/lib; do
        if [ -e "$TARGET_DIR/$folder/$1" ]; then
            echo "$folder/$1"
            return
        fi
    done
    echo "the target has no $1" >&2
    exit 1
}

# Print the archive of a folder. Out of the same files it is the same.
archive() {
    (
        cd "$1"
        find . -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
        find . | sort | cpio --quiet --create --format=newc --owner=0:0 --reproducible
    )
}

# The medium's folder is filled by a boot over the network.
mkdir -p "$root/bin" "$root/dev" "$root/lib" "$root/medium" "$root/memory" "$root/proc" \
    "$root/root" "$root/run" "$root/sanstone/grub" "$root/state" "$root/sys" "$root/system"
ln -s lib "$root/lib64"
copy_program busybox
copy_program ld-linux-x86-64.so.2
for program in blkid dmsetup mdadm; do
    if [ -L "$TARGET_DIR/$(find_in_target "$program")" ]; then
        echo "the target has $program as an applet of busybox alone" >&2
        exit 1
    fi
    copy_program "$program"
done
ln -s busybox "$root/bin/sh"
cp -R "$here/initramfs/." "$root/"
chmod 0755 "$root/init"
echo "$version" > "$root/version"
microcode=$work/microcode/kernel/x86/microcode
mkdir -p "$microcode"
cat "$BINARIES_DIR"/intel-ucode/* > "$microcode/GenuineIntel.bin"
cat "$TARGET_DIR"/lib/firmware/amd-ucode/*.bin > "$microcode/AuthenticAMD.bin"

{
    archive "$work/microcode"
    archive "$root" | gzip -9n
} > "$work/iso/boot/initramfs"
