# Creates the array's keyring, and in a folder packages that are signed with its key or with another's;
# and a web server that has them. `content` is the content of the last one.
# Arguments: the folder; then of each package its name, the key (own or stranger), its version, the
# database revisions that it knows, and the bytes of its system.
set -euo pipefail
folder=$1
shift
mkdir -p "$folder/content"
cd "$folder"
for name in own stranger; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 3650 \
        -subj "/CN=$name" -keyout "$name.key" -out "$name.pem" 2> /dev/null
done
install -m 0644 own.pem /usr/share/sanstone/update-keyring.pem
while [ $# -gt 0 ]; do
    name=$1 key=$2 version=$3 schema=$4 size=$5
    shift 5
    head -c "$size" /dev/urandom > content/system.img
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
        --mksquashfs-args="-noD -noF -noI" content "$name.raucb" 2> /dev/null
done
# The server is the array itself, to which the array would not connect: so every name leads there.
install -d /run/systemd/system/sanstone-web-client.service.d
cat > /run/systemd/system/sanstone-web-client.service.d/own-server.conf <<DROPIN
[Service]
ExecStart=
ExecStart=$(sed -n '1s/^#!//p' /usr/bin/sanstone-web-client) -c "from sanstone.kernel.web import \
destination, server; destination.resolved = lambda _host, port, _kind: \
[(2, ('127.0.0.1', port))]; server.main()"
DROPIN
systemd-run --quiet --unit=update-server --working-directory="$folder" \
    python3 -m http.server --bind 127.0.0.1 8000
# Reboots are for another test; systemd carries out the update's other requests.
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
systemctl stop sanstone-web-client.service
