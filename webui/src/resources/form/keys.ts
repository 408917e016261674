/** New keys for hosts and array, as nvme gen-dhchap-key and nvme gen-tls-key make them. */

/** By the type of a field: the prefix of its keys. */
const FORMS: Record<string, string> = {
  dh_hmac_chap_key: 'DHHC-1:00:',
  tls_psk: 'NVMeTLSkey-1:01:',
};
const LENGTH = 32;

export const isGenerated = (kind: string) => kind in FORMS;

export const newKey = (kind: string) =>
  spelled(FORMS[kind]!, crypto.getRandomValues(new Uint8Array(LENGTH)));

/** A key as text: base64 of it and of its CRC-32, which is little-endian. */
export function spelled(form: string, key: Uint8Array): string {
  const check = crc32(key);
  const bytes = [...key, ...[0, 8, 16, 24].map((shift) => (check >>> shift) & 0xff)];
  return `${form}${btoa(String.fromCharCode(...bytes))}:`;
}

/** The CRC-32 of IEEE 802.3. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
