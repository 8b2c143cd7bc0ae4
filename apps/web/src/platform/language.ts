import type { Language } from '@krapao/contract/shared';
import { isLanguage, languageTag } from '@krapao/contract/shared';
import { config } from './config.ts';
import { i18n } from './i18n.ts';
import { loadMessages, type MessagePart } from './messages.ts';
import { readStored, writeCookie, writeStored } from './storage.ts';

const wanted = new Set<MessagePart>(['first']);
const loaded = new Set<string>();
let requested: Language | undefined;

/** The reader's stored choice, or null. */
export function storedLanguage(): Language | null {
  const stored = readStored('locale');
  return isLanguage(stored) ? stored : null;
}

/** The language the page was written in, else the build's own. */
export function pageLanguage(): Language {
  const page = document.documentElement.dataset.language;
  return isLanguage(page) ? page : config.variant;
}

async function load(language: Language, part: MessagePart): Promise<void> {
  const name = `${language}/${part}`;
  if (loaded.has(name)) return;
  i18n.load(language, await loadMessages(language, part));
  loaded.add(name);
}

function show(language: Language): void {
  document.documentElement.lang = languageTag(language);
  document.documentElement.dataset.language = language;
  i18n.activate(language, languageTag(language));
}

/**
 * Loads what is wanted of a language and shows it, without storing it as a choice; one requested meanwhile is shown in its
 * place. `wantsAll`: from now on all of it.
 */
export async function activateLanguage(language: Language, wantsAll = false): Promise<void> {
  if (wantsAll) wanted.add('rest');
  requested = language;
  await Promise.all([...wanted].map((part) => load(language, part)));
  if (requested === language) show(language);
}

/** From now on the second part is loaded with every language; resolves once the present one, if any, has it. */
export async function wantAllMessages(): Promise<void> {
  wanted.add('rest');
  if (i18n.locale) await load(i18n.locale as Language, 'rest');
}

/** A choice of the reader: stored, put into the cookie the server reads, shown at once. */
export async function chooseLanguage(language: Language): Promise<void> {
  writeStored('locale', language);
  writeCookie('language', language.toUpperCase(), config.isFramed);
  await activateLanguage(language);
}
