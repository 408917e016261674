#!/bin/sh
# Run by Buildroot upon the finished root filesystem, $1. Takes away what packages brought and an array
# must not have, and writes this version and the compatible updates.
set -e
root=$1
repository=$(cd "$(dirname "$0")/../.." && pwd)
PATH="$HOST_DIR/bin:$PATH"

# os-release(5), and what stands before a console's login
[ -n "${SIGNING_KEY:-}" ] || unsigned=--unsigned
PYTHONPATH="$repository/board" python3 -m image.release ${unsigned:+"$unsigned"} "$repository" \
    > "$root/usr/lib/os-release"
(
    . "$root/usr/lib/os-release"
    printf '%s \\n \\l\n\n' "$PRETTY_NAME" > "$root/etc/issue"
)

# Keys are generated at the first boot and kept with the state (sanstone-ssh-keys.service).
rm -f "$root"/etc/ssh/ssh_host_*
# The initramfs mounts the root, which systemd would make read-only again by this.
rm -f "$root/etc/fstab"
# Nobody is any of these, but an account of the array may have the name, "operator" above all. A user
# of the system would take its place (etc/nsswitch.conf).
for name in bin sys sync mail operator; do
    sed -i "/^$name:/d" "$root/etc/passwd" "$root/etc/shadow"
done
# LIO complains when it is loaded and finds no such folder.
mkdir -p "$root/etc/target"
# The page that nginx brings would be served in place of the web files.
rm -rf "$root/usr/html"

# Whose updates the array takes.
. "$repository/board/common/signing.sh"
install -D -m 0644 "$signing_certificate" "$root/usr/share/sanstone/update-keyring.pem"
