/**
 * The language of the pages. English texts are the keys, so that the source reads like the pages;
 * the others are loaded when they are chosen.
 */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

import { kept } from '../base/store';
import { OPTIONS } from './options';

export const LANGUAGES = { en: 'English', de: 'Deutsch', ja: '日本語', zh: '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const TEXTS: Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, string> }>> = {
  de: () => import('./de'),
  ja: () => import('./ja'),
  zh: () => import('./zh'),
};

const known = (language: string): language is Language => language in LANGUAGES;
const wished = navigator.languages.map((each) => each.split('-')[0]!).find(known) ?? 'en';

/** The chosen language, else that of the browser. */
export const language = kept('language', wished);

export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: {} } },
    ...OPTIONS,
  });
  language.watch(() => void apply());
  await apply();
}

async function apply(): Promise<void> {
  const chosen = language.get();
  if (!known(chosen)) return;
  if (chosen !== 'en' && !i18next.hasResourceBundle(chosen, 'translation'))
    i18next.addResourceBundle(chosen, 'translation', (await TEXTS[chosen]()).default);
  await i18next.changeLanguage(chosen);
  document.documentElement.lang = chosen;
}
