import type { Language } from '@krapao/contract/shared';
import { isLanguage, languageTag } from '@krapao/contract/shared';
import { I18n, type Messages } from '@krapao/ui/text/i18n.ts';
import type {} from '../locales/message-ids.gen.ts';

/** The texts of this page load. */
export const i18n = new I18n();

const LOADERS: Record<Language, () => Promise<{ default: Messages }>> = {
  th: () => import('virtual:messages/th'),
  la: () => import('virtual:messages/la'),
  en: () => import('virtual:messages/en'),
};

/** Loads a language and shows it; it is remembered on this machine. */
export async function showLanguage(language: Language): Promise<void> {
  i18n.load(language, (await LOADERS[language]()).default);
  document.documentElement.lang = languageTag(language);
  localStorage.setItem('locale', language);
  i18n.activate(language, languageTag(language));
}

/** The language chosen on this machine before; Thai otherwise. */
export function firstLanguage(): Language {
  const stored = localStorage.getItem('locale');
  return isLanguage(stored) ? stored : 'th';
}
