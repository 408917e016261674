import { expect, test } from 'vitest';

import { isGenerated, newKey, spelled } from './keys';

const COUNTED = Uint8Array.from({ length: 32 }, (_each, index) => index);

test('a key is spelled as the array and nvme-cli take it', () => {
  expect(spelled('DHHC-1:00:', COUNTED)).toBe(
    'DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR:',
  );
});

test('each key is another, in the form of its field', () => {
  const [one, other] = [newKey('tls_psk'), newKey('tls_psk')];
  expect(one).toMatch(/^NVMeTLSkey-1:01:[A-Za-z0-9+/]{48}:$/);
  expect(other).not.toBe(one);
  expect(newKey('dh_hmac_chap_key')).toMatch(/^DHHC-1:00:[A-Za-z0-9+/]{48}:$/);
});

test('passwords are not generated', () => {
  expect(isGenerated('password')).toBe(false);
});
