# Read by `make image` before it builds, by post-build.sh and by parts/bundle.sh: sets `signing_key` and
# `signing_certificate`, what update bundles are signed with. They are given to `make image` as
# SIGNING_KEY= and SIGNING_CERTIFICATE=; else a key is generated in the output folder; its bundles
# are the ones that the images of this folder alone accept.
if [ -n "${SIGNING_KEY:-}" ] || [ -n "${SIGNING_CERTIFICATE:-}" ]; then
    signing_key=${SIGNING_KEY:?is missing beside SIGNING_CERTIFICATE}
    signing_certificate=${SIGNING_CERTIFICATE:?is missing beside SIGNING_KEY}
    # rauc verifies a bundle as soon as it is built, as arrays do: by this certificate and nothing
    # else.
    openssl verify -no-CApath -no-CAstore -purpose smimesign -CAfile "$signing_certificate" \
        "$signing_certificate" > /dev/null || {
        echo "SIGNING_CERTIFICATE must be self-signed, in force, and fit to sign e-mail (S/MIME)" >&2
        exit 1
    }
else
    signing_key=$BASE_DIR/signing/development.key
    signing_certificate=$BASE_DIR/signing/development.pem
    echo "Updates are signed with a DEVELOPMENT key: $signing_key" >&2
    if [ ! -e "$signing_certificate" ]; then
        install -d -m 0700 "$BASE_DIR/signing"
        openssl req -x509 -batch -newkey rsa:3072 -nodes -days 36500 -subj "/CN=Sanstone development" \
            -keyout "$signing_key" -out "$signing_certificate"
    fi
fi
