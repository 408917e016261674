import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import { ADMIN, findings, go, startArray, startBrowser, visit } from './browser.mjs';

const LDAP = 'security/authentication/cluster/ldap';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray('--empty'), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const field = (name) => page.locator(`[id="field-${name}"]`);

test('an array without a directory is given one, and loses it again', async () => {
  await go(page, `/${LDAP}`);
  await page.getByText('LDAP directory: none yet').waitFor();
  assert.deepEqual(await findings(page), []);
  await page.getByRole('button', { name: 'Create LDAP client' }).click();
  await field('servers').fill('ldap.example.org');
  await field('base_dn').fill('dc=example,dc=org');
  // Nobody answers there.
  await page.getByRole('button', { name: 'Create LDAP client' }).click();
  await page.getByText('The directory cannot be used').first().waitFor();
  const given = { servers: ['ldap.example.org'], base_dn: 'dc=example,dc=org' };
  await asAdmin(array, 'POST', LDAP, { ...given, skip_config_validation: true });
  await go(page, `/${LDAP}`);
  await page.getByText('ldap.example.org').first().waitFor();
  await page.getByText('down').first().waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('LDAP directory: none yet').waitFor();
});

test('an authority of clients is installed, and an account that logs in by certificate', async () => {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const more = ['-keyout', '/dev/null', '-subj', '/CN=Clients', '-days', '2'];
  const pem = execFileSync('openssl', ['req', '-x509', ...kind, ...more], { stdio: 'pipe' });
  await go(page, '/security/certificates');
  await page.getByRole('button', { name: 'Create certificate' }).first().click();
  await field('name').fill('clients');
  await field('type').selectOption('client_ca');
  await field('public_certificate').fill(String(pem));
  await page.getByRole('button', { name: 'Create certificate' }).click();
  await page.getByRole('heading', { name: 'clients' }).waitFor();
  await page.getByText('client ca').first().waitFor();
  const applications = [{ application: 'http', authentication_methods: ['certificate'] }];
  await asAdmin(array, 'POST', 'security/accounts', { name: 'backup', applications });
  await go(page, '/security/accounts');
  await page.getByText('http · certificate').first().waitFor();
});
