#!/bin/sh
# Run by Buildroot when kernel and root filesystem are there. Makes what an array is installed from, in
# this order: parts/*.sh; each says at its top which files it builds. All that they make out of the
# same files, with the same SOURCE_DATE_EPOCH, is the same, but for the signature of the bundle.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$repository/api/sanstone/__init__.py")
work=$BUILD_DIR/sanstone-image
export here repository version work
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:?Buildroot sets it with BR2_REPRODUCIBLE}"
export PATH="$HOST_DIR/bin:$HOST_DIR/sbin:$PATH" TZ=UTC LC_ALL=C PYTHONPATH="$repository/board"
rm -rf "$work"
mkdir -p "$work/iso/boot" "$work/iso/grub" "$work/iso/sanstone/grub"
echo "$version" > "$work/iso/sanstone/version"

for part in initramfs slot grub iso bundle; do
    "$here/parts/$part.sh"
done
