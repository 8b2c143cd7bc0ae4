import type { Language } from '@krapao/contract/shared';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { heldText } from './held-text.ts';
import type { I18n, Translate } from './i18n.ts';

export type { Translate } from './i18n.ts';

interface TextValue {
  t: Translate;
  language: Language;
  /** A text that comes from the server, with its words held together as those of the catalogues are. */
  hold: (text: string) => string;
}

const TextContext = createContext<TextValue | null>(null);

/** A fresh object and a fresh `t`, so that every reader renders again after a change of language. */
const read = (i18n: I18n): TextValue => ({
  t: (id, values) => i18n.t(id, values),
  language: i18n.locale as Language,
  hold: (text) => heldText.hold(text, i18n.locale as Language),
});

/** Gives the tree its texts and renders it again when the language or its messages change. */
export function TextProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const [value, setValue] = useState(() => read(i18n));
  useEffect(() => i18n.onChange(() => setValue(read(i18n))), [i18n]);
  return <TextContext value={value}>{children}</TextContext>;
}

/** The translate function and the language of the tree. Throws outside a TextProvider. */
export function useText(): TextValue {
  const value = useContext(TextContext);
  if (!value) throw new Error('useText needs a TextProvider above it');
  return value;
}
