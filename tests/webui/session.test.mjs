import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ADMIN, findings, go, READER, startArray, startBrowser, visit } from './browser.mjs';
import { asAdmin } from './api.mjs';

let array, browser;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
});
after(async () => {
  await browser.close();
  await array.stop();
});

async function type(page, name, password) {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('a wrong password is refused, and the right one leads to the page of the address', async () => {
  const page = await visit(browser, `${array.url}/storage/luns`);
  await type(page, ADMIN.name, 'wrong');
  await page.getByRole('alert').getByText('Name or password is wrong').waitFor();
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  await type(page, ADMIN.name, ADMIN.password);
  await page.getByRole('heading', { name: 'LUNs', level: 1 }).waitFor();
});

test('an account that is locked does not get in', async () => {
  const owner = (await asAdmin(array, 'GET', 'security/accounts?name=changer')).records[0].owner
    .uuid;
  await asAdmin(array, 'PATCH', `security/accounts/${owner}/changer`, { locked: true });
  const page = await visit(browser, array.url);
  await type(page, 'changer', 'a passw0rd');
  await page.getByRole('alert').getByText('the account is locked').waitFor();
});

test('an account with a TOTP profile needs a code, after the right password alone', async () => {
  const application = { application: 'http', authentication_methods: ['password'] };
  const account = { name: 'coded', password: 'a passw0rd', applications: [application] };
  await asAdmin(array, 'POST', 'security/accounts', account);
  const found = await asAdmin(array, 'GET', 'security/accounts?name=coded');
  const path = `security/accounts/${found.records[0].owner.uuid}/coded`;

  const admin = await visit(browser, array.url, { account: ADMIN });
  await go(admin, `/${path}`);
  await admin.getByRole('button', { name: 'Make a TOTP profile' }).click();
  await admin.getByRole('button', { name: 'Create TOTP profile' }).click();
  const once = admin.getByRole('region', { name: 'Shown once' });
  await once.getByRole('img', { name: 'QR code' }).waitFor();
  const value = (name) => once.getByRole('textbox', { name }).inputValue();
  assert.match(await value('Secret key'), /^[A-Z2-7]{32}$/);
  assert.match(await value('Install URL'), /^otpauth:\/\/totp\//);
  const [emergency] = (await value('Emergency codes')).split(' ');
  assert.deepEqual(await findings(admin), []);
  await admin.getByRole('button', { name: 'I have kept it' }).click();
  await admin.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  const applications = [{ ...application, second_authentication_method: 'totp' }];
  await asAdmin(array, 'PATCH', path, { applications });
  await go(admin, `/${path}`);
  const factor = admin.getByRole('region', { name: 'Second factor' });
  await factor.getByText('need a verification code after the password or key: http').waitFor();
  await factor.getByRole('link', { name: 'TOTP profile' }).waitFor();

  const page = await visit(browser, array.url);
  await type(page, 'coded', 'wrong');
  await page.getByRole('alert').getByText('Name or password is wrong').waitFor();
  await type(page, 'coded', account.password);
  const code = page.getByLabel('Verification code');
  await code.fill('000000');
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('The code is wrong').waitFor();
  assert.deepEqual(await findings(page), []);
  await code.fill(emergency);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('#page h1').waitFor();
});

test('the token of the session is in no storage', async () => {
  const page = await visit(browser, array.url);
  await type(page, ADMIN.name, ADMIN.password);
  await page.locator('#page h1').waitFor();
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
  );
  assert.doesNotMatch(stored, /csrf|token/i);
  assert.equal(await page.evaluate(() => document.cookie), '');
});

test('after logging out, the login page stands in the place of every page', async () => {
  const page = await visit(browser, array.url, { account: ADMIN });
  await page.getByRole('button', { name: 'Account admin' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await page.goto(`${array.url}/storage/volumes`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
});

test('a session that ends in mid-form loses nothing that was typed', async () => {
  const page = await visit(browser, array.url, { account: ADMIN });
  await page.goto(`${array.url}/cluster/schedules/~new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('kept');
  await page.getByRole('textbox', { name: 'Interval' }).fill('PT10M');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const isShown = dialog.waitFor();
  // A request that the page repeats could show the end first, and the form would not be sent.
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') await isShown;
    await route.continue();
  });
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await isShown;
  assert.equal(await page.locator('#field-name').inputValue(), 'kept');
  await dialog.getByLabel('Password').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'kept' }).waitFor();
});

test('actions that a role does not allow are disabled, and say why', async () => {
  const page = await visit(browser, array.url, { account: READER });
  await page.goto(`${array.url}/storage/volumes`);
  const create = page.getByRole('button', { name: 'Create volume' });
  await create.waitFor();
  assert.equal(await create.getAttribute('aria-disabled'), 'true');
  await create.hover();
  await page.getByText('Your role "readonly" does not allow this.').waitFor();
});

test('an expired password has to be changed before anything else', async () => {
  const common = { applications: [{ application: 'http', authentication_methods: ['password'] }] };
  const account = { name: 'newcomer', password: 'a passw0rd', role: 'expiring', ...common };
  await asAdmin(array, 'POST', 'security/roles', {
    name: 'expiring',
    privileges: [{ path: '/api', access: 'readonly' }],
  });
  await asAdmin(array, 'POST', 'security/accounts', account);
  const rule = 'private/cli/security/login/role/config?role=expiring';
  await asAdmin(array, 'PATCH', rule, { change_password_duration_in_days: 0 }).catch(
    () => undefined,
  );
  await asAdmin(array, 'PATCH', rule, { require_initial_passwd_update: 'enabled' });
  await asAdmin(array, 'DELETE', `security/accounts?name=newcomer`);
  await asAdmin(array, 'POST', 'security/accounts', account);
  const page = await visit(browser, `${array.url}/storage/volumes`);
  await type(page, 'newcomer', 'a passw0rd');
  await page.getByRole('heading', { name: 'Your password has expired' }).waitFor();
  await page.getByLabel('New password', { exact: true }).fill('another passw0rd');
  await page.getByLabel('New password again').fill('another passw0rd');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'Volumes', level: 1 }).waitFor();
});
