/** Logins by a real identity provider, which runs beside the array: the package oidc-provider. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { asAdmin } from './api.mjs';
import {
  ADMIN,
  findings,
  go,
  logIn,
  REPOSITORY,
  startArray,
  startBrowser,
  visit,
} from './browser.mjs';

const OIDC = 'security/authentication/cluster/oidc';
const ARRAY = 'https://array.example';
const CLIENT = { client_id: 'array', client_secret: 'a secret: +/%' };
const require = createRequire(join(REPOSITORY, 'webui/package.json'));

let array, browser, provider, front, issuer, authority;
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'provider-'));
  const file = (name) => join(folder, name);
  const openssl = (...words) => execFileSync('openssl', words, { stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'];
  openssl('req', '-x509', ...key, '-subj', '/CN=CA', '-keyout', file('ca.key'), '-out', file('ca'));
  const names = ['-subj', '/CN=provider', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const signer = ['-CA', file('ca'), '-CAkey', file('ca.key')];
  openssl(
    'req',
    '-x509',
    ...key,
    ...names,
    ...signer,
    '-keyout',
    file('key'),
    '-out',
    file('cert'),
  );
  authority = String(readFileSync(file('ca')));
  const tls = {
    key: readFileSync(file('key')),
    cert: readFileSync(file('cert')),
  };
  rmSync(folder, { recursive: true });

  array = await startArray('--empty');
  // Browsers reach the array by https, as nginx has it, under the name that the provider knows.
  front = createServer(tls, (incoming, answer) => {
    const { method, url, headers } = incoming;
    const passed = request(new URL(url, array.url), { method, headers }, (got) => {
      answer.writeHead(got.statusCode, got.rawHeaders);
      got.pipe(answer);
    });
    // The array stops while a page still asks.
    passed.on('error', () => answer.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  provider = createServer(tls).listen(0, '127.0.0.1');
  await Promise.all([once(front, 'listening'), once(provider, 'listening')]);
  issuer = `https://127.0.0.1:${provider.address().port}`;
  const { default: Provider } = await import(require.resolve('oidc-provider'));
  const speaking = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${ARRAY}/login/oidc`] }],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email'],
    },
    conformIdTokenClaims: false,
    findAccount: (_context, name) => ({
      accountId: name,
      claims: () => ({
        sub: name,
        preferred_username: name,
        email: `${name}@example.org`,
      }),
    }),
  });
  provider.on('request', speaking.callback());
  browser = await startBrowser(
    `--host-resolver-rules=MAP array.example 127.0.0.1:${front.address().port}`,
  );
});
after(async () => {
  await browser.close();
  for (const server of [front, provider]) {
    server.close();
    server.closeAllConnections();
  }
  await array.stop();
});

const visitor = () => visit(browser, ARRAY, { ignoreHTTPSErrors: true });
const link = (page) => page.getByRole('link', { name: 'Log in with Our provider' });

/** Log in at the provider, on its own pages, which take any password. */
async function logInThere(page, name) {
  await link(page).click();
  await page.locator('[name=login]').fill(name);
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button').click();
  await page.getByRole('button').click();
}

test('a provider is set up, and its users log in who have an account', async () => {
  const certificate = {
    type: 'server_ca',
    name: 'provider',
    public_certificate: authority,
  };
  await asAdmin(array, 'POST', 'security/certificates', certificate);
  const admin = await visit(browser, array.url);
  await admin.getByLabel('Name').waitFor();
  assert.equal(await link(admin).count(), 0);
  await logIn(admin);
  await go(admin, `/${OIDC}`);
  const field = (name) => admin.locator(`[id="field-${name}"]`);
  await admin.getByRole('button', { name: 'Create identity provider' }).click();
  const given = {
    provider: 'Our provider',
    issuer,
    redirect_ipaddress: 'array.example',
  };
  for (const [name, text] of Object.entries({ ...given, ...CLIENT })) await field(name).fill(text);
  await admin.getByRole('button', { name: 'Create identity provider' }).click();
  await admin.getByText(`${ARRAY}/login/oidc`).first().waitFor();
  await admin.getByText(`${issuer}/token`).first().waitFor();
  const applications = [{ application: 'http', authentication_methods: ['oidc'] }];
  await asAdmin(array, 'POST', 'security/accounts', {
    name: 'ann',
    applications,
  });

  const page = await visitor();
  await link(page).waitFor();
  assert.deepEqual(await findings(page), []);
  await logInThere(page, 'ann');
  await page.getByRole('button', { name: 'Account ann' }).waitFor();
  assert.equal(new URL(page.url()).search, '', 'the code is not in the address');
});

test('the login page says that a user has no account, or has cancelled the login', async () => {
  const page = await visitor();
  await logInThere(page, 'bob');
  const alert = page.getByRole('alert');
  await alert.getByText('The identity provider says that you are "bob"').waitFor();
  await page.context().clearCookies();
  await link(page).click();
  await page.getByText('Cancel').click();
  await alert.getByText('The identity provider has not let you in.').waitFor();
  assert.equal(page.url(), `${ARRAY}/`);
  // Anybody's link may lead to where the provider sends browsers back.
  await page.goto(`${ARRAY}/login/oidc?code=stolen&state=${'0'.repeat(64)}`);
  await alert.getByText('did not begin in this browser').waitFor();
  await page.goto(`${ARRAY}/login/oidc?error=${encodeURIComponent('Call 555-0100!')}`);
  await alert.getByText('has refused the login').waitFor();
  assert.equal(await page.getByText('555').count(), 0);
});

test('while the provider is down, a password opens its account', async () => {
  provider.close();
  provider.closeAllConnections();
  const page = await visitor();
  await link(page).waitFor();
  await page.getByLabel('Name').fill(ADMIN.name);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Account admin' }).waitFor();
});
