/**
 * Every page of the web interface as a picture.
 *
 *     node tests/webui/screenshots.mjs FOLDER
 *
 * On a desktop in English every page, light and dark; the made ones also on a phone and in the other
 * languages.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { load, logIn, startArray, startBrowser, visit } from './browser.mjs';
import { allPages, madePages } from './pages.mjs';

const LANGUAGES = { en: 'en-US', de: 'de-DE', ja: 'ja-JP', zh: 'zh-CN' };
const DEVICES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const array = await startArray('--past');
const browser = await startBrowser();
try {
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
        for (const path of every ? await allPages(page) : await madePages(page)) {
          await load(page, array.url + path);
          await save(path.replace(/[^a-z0-9]+/gi, '_').replace(/^_/, '') || 'dashboard');
        }
        await page.context().close();
        console.log(`${language} ${device} ${colorScheme}`);
      }
} finally {
  await browser.close();
  await array.stop();
}
