/**
 * Every page of the web interface as a picture.
 *
 *     node tests/webui/screenshots.mjs FOLDER
 *     node tests/webui/screenshots.mjs manual
 *
 * On a desktop in English every page, light and dark; those with components of their own also on a phone and in
 * the other languages. Or those that the manual shows, as WebP, where it has them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ADMIN, load, logIn, REPOSITORY, startArray, startBrowser, visit } from './browser.mjs';
import { allPages, ownPages } from './pages.mjs';

const LANGUAGES = { en: 'en-US', de: 'de-DE', ja: 'ja-JP', zh: 'zh-CN' };
const DEVICES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const MANUAL = join(REPOSITORY, 'webui/manual');
/** Of 100: letters are sharp, and a page takes less than 60 KB. */
const QUALITY = 75;

async function takeForManual() {
  const pictures = JSON.parse(readFileSync(join(MANUAL, 'pictures.json'), 'utf8'));
  const page = await visit(browser, array.url, { account: ADMIN });
  const tools = await page.context().newCDPSession(page);
  for (const [name, { page: address, width, height }] of Object.entries(pictures)) {
    await page.setViewportSize({ width, height });
    await load(page, array.url + address);
    // Playwright knows no WebP.
    const how = { format: 'webp', quality: QUALITY };
    const { data } = await tools.send('Page.captureScreenshot', how);
    writeFileSync(join(MANUAL, 'pictures', `${name}.webp`), Buffer.from(data, 'base64'));
  }
}

async function takeAll(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [language, locale] of Object.entries(LANGUAGES))
    for (const [device, viewport] of Object.entries(DEVICES))
      for (const colorScheme of ['light', 'dark']) {
        const page = await visit(browser, array.url, { locale, viewport, colorScheme });
        const save = (name) =>
          page.screenshot({
            path: join(folder, `${name}-${language}-${device}-${colorScheme}.png`),
          });
        await page.waitForSelector('h1');
        await save('login');
        await logIn(page);
        await page.waitForSelector('#page h1');
        const every = language === 'en' && device === 'desktop';
        for (const path of every ? await allPages(page) : await ownPages(page)) {
          await load(page, array.url + path);
          await save(path.replace(/[^a-z0-9]+/gi, '_').replace(/^_/, '') || 'dashboard');
        }
        await page.context().close();
        console.log(`${language} ${device} ${colorScheme}`);
      }
}

const array = await startArray('--past');
const browser = await startBrowser();
try {
  await (process.argv[2] === 'manual' ? takeForManual() : takeAll(process.argv[2]));
} finally {
  await browser.close();
  await array.stop();
}
