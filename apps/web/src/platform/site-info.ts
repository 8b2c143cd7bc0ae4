import type { Language } from '@krapao/contract/shared';
import { useText } from '@krapao/ui/text/text.tsx';
import { useEffect, useSyncExternalStore } from 'react';
import { api } from './api.ts';

interface SiteInfo {
  name: string;
  website: string;
  sandbox: boolean;
  agreement: number;
  registerAge: number;
}

let info: SiteInfo | null = null;
let requested: Language | undefined;
/** How many were requested; only the answer to the last one counts. */
let reads = 0;
const readers = new Set<() => void>();

/**
 * Reads once a page load and language, or again when it has changed; a failure is not cached, so that the next screen
 * reads again.
 */
export function fetchInfo(language: Language, hasChanged = requested !== language): void {
  if (!hasChanged) return;
  requested = language;
  reads += 1;
  const read = reads;
  api('GET /api/lookup/info')
    .then((response) => {
      if (read !== reads) return;
      info = response;
      for (const reader of readers) reader();
    })
    .catch(() => {
      if (read === reads) requested = undefined;
    });
}

const subscribe = (reader: () => void) => {
  readers.add(reader);
  return () => readers.delete(reader);
};

/**
 * The provider's name (the product's own until the server has answered), website, sandbox mark, and the revision of
 * the agreements and the least age to register, null until they are known.
 */
export function useSite(): {
  name: string;
  website: string;
  sandboxTag: string | undefined;
  agreement: number | null;
  registerAge: number | null;
} {
  const { t, language } = useText();
  const known = useSyncExternalStore(
    subscribe,
    () => info,
    () => null,
  );
  useEffect(() => fetchInfo(language), [language]);
  return {
    name: known?.name || t('shell.product'),
    website: known?.website ?? '',
    sandboxTag: known?.sandbox ? t('shell.sandbox') : undefined,
    agreement: known?.agreement ?? null,
    registerAge: known?.registerAge ?? null,
  };
}
