#!/bin/sh
# Makes the update bundle: the two images of a slot, signed.
set -eu
. "$here/signing.sh"
bundle=$BINARIES_DIR/sanstone-$version.raucb
content=$work/bundle
mkdir "$content"
ln "$work/iso/sanstone/system.img" "$work/iso/sanstone/boot.img" "$content/"
cat > "$content/manifest.raucm" <<END
[update]
compatible=sanstone-x86_64
version=$version

[bundle]
format=verity

[image.system]
filename=system.img

[image.boot]
filename=boot.img

[meta.sanstone]
version=$version
schema=$(python3 -m image.revisions "$repository/api/sanstone/migrations/versions")
changes=$(python3 -m image.changes "$repository/CHANGELOG.md")
END
rm -f "$bundle"
rauc --key="$signing_key" --cert="$signing_certificate" --keyring="$signing_certificate" \
    bundle "$content" "$bundle"
