import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ADMIN, go, startArray, startBrowser, visit } from './browser.mjs';
import { ask } from './pages.mjs';

const DESTINATIONS = 'support/ems/destinations';

let array, browser, page;
before(async () => {
  [array, browser] = await Promise.all([startArray(), startBrowser()]);
  page = await visit(browser, array.url, { account: ADMIN });
});
after(async () => {
  await browser.close();
  await array.stop();
});

const field = (name) => page.locator(`[id="field-${name}"]`);

test('a mail address gets events, by a mail server that is set beside it', async () => {
  await go(page, `/${DESTINATIONS}/~new`);
  await field('name').fill('night');
  await field('type').selectOption('email');
  await field('destination').fill('night@example.org');
  await page.getByRole('button', { name: 'Create destination' }).click();
  await page.getByRole('heading', { name: 'night' }).waitFor();
  const destination = await ask(page, `${DESTINATIONS}/night`);
  assert.deepEqual([destination.type, destination.destination], ['email', 'night@example.org']);
  assert.equal(destination.syslog, undefined);

  await go(page, '/support/ems/~edit');
  await field('mail_server').fill('mail.example.org');
  await field('mail_from').fill('array@example.org');
  await page.getByRole('button', { name: /^(Save|Change)/ }).click();
  await page.getByText('mail.example.org').first().waitFor();
  const set = await ask(page, 'support/ems');
  assert.deepEqual([set.mail_server, set.mail_from], ['mail.example.org', 'array@example.org']);
});

test('a destination that its type does not allow is refused at its field', async () => {
  await go(page, `/${DESTINATIONS}/~new`);
  await field('name').fill('hook2');
  await field('type').selectOption('rest_api');
  await field('destination').fill('hooks.example.org');
  await page.getByRole('button', { name: 'Create destination' }).click();
  await page.locator('[id="field-destination"][aria-invalid="true"]').waitFor();
  await page.getByText('This must be an http or https URL.').first().waitFor();
  assert.deepEqual(page.errors, []);
});
