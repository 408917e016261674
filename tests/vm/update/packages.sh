# Makes the array's keyring, and in the folder given packages signed with its key, or with another's:
# good.raucb (release 9.9.0), stranger.raucb, newer.raucb (8.8.8, which does not know the array's
# database); and a web server that has them.
# Arguments: the folder, and the database revisions that the good ones know.
set -euo pipefail
folder=$1 schema=$2
mkdir -p "$folder/content"
cd "$folder"
for name in own stranger; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 3650 \
        -subj "/CN=$name" -keyout "$name.key" -out "$name.pem" 2> /dev/null
done
install -m 0644 own.pem /usr/share/sanstone/update-keyring.pem
package() {
    local file=$1 key=$2 version=$3 schema=$4
    mkdir boot
    printf "set root_hash=00\nset hash_offset=4096\nset version=%s\nschema='%s'\n" \
        "$version" "$schema" > boot/boot.cfg
    mksquashfs boot content/boot.img -quiet -noappend > /dev/null
    rm -r boot
    cat > content/manifest.raucm <<MANIFEST
[update]
compatible=sanstone-x86_64
version=$version
[bundle]
format=verity
[image.boot]
filename=boot.img
[image.system]
filename=system.img
[meta.sanstone]
version=$version
schema=$schema
MANIFEST
    rauc bundle --cert="$key.pem" --key="$key.key" \
        --mksquashfs-args="-noD -noF -noI" content "$file" 2> /dev/null
}
head -c 4096 /dev/urandom > content/system.img
package stranger.raucb stranger 7.7.7 "$schema"
package newer.raucb own 8.8.8 "000000000000"
head -c 100M /dev/urandom > content/system.img
package good.raucb own 9.9.0 "$schema"
systemd-run --quiet --unit=update-server --working-directory="$folder" \
    python3 -m http.server --bind 127.0.0.1 8000
# What a reboot does is another test's; what an update asks systemd for besides is done.
install -d /usr/lib/update-test /run/systemd/system/sanstone-update@.service.d
cp /usr/bin/systemctl /usr/lib/update-test/systemctl.real
cat > /usr/lib/update-test/systemctl <<'STUB'
#!/bin/sh
[ "$1" = reboot ] || exec /usr/lib/update-test/systemctl.real "$@"
STUB
chmod 0755 /usr/lib/update-test/systemctl
cat > /run/systemd/system/sanstone-update@.service.d/no-reboot.conf <<'DROPIN'
[Service]
BindReadOnlyPaths=/usr/lib/update-test/systemctl:/usr/bin/systemctl
DROPIN
systemctl daemon-reload
