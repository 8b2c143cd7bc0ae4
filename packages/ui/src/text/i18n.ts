import type { MessageId } from '@lingui/core';

/** A message as the catalogue tool compiles it: words, and placeholders as [name, type?, branches?]. */
type Token = string | [name: string, type?: string, branches?: Record<string, Token[]>];
export type Messages = Record<string, Token[]>;

/** Turns a message id into the reader's language; placeholders are filled from `values`. */
export type Translate = (id: MessageId, values?: Record<string, unknown>) => string;

function write(
  tokens: readonly Token[],
  values: Record<string, unknown>,
  tag: string,
  count?: number,
): string {
  return tokens
    .map((token) => {
      if (typeof token === 'string') return token === '#' && count !== undefined ? String(count) : token;
      const [name, type, branches] = token;
      const value = values[name];
      if (!type || !branches) return String(value ?? '');
      const branch = type === 'plural' ? new Intl.PluralRules(tag).select(Number(value)) : String(value);
      return write(
        branches[branch] ?? branches.other ?? [],
        values,
        tag,
        type === 'plural' ? Number(value) : count,
      );
    })
    .join('');
}

/**
 * The texts of the app at run time. Catalogues, ids and compiled messages are Lingui's; its own runtime formats
 * dates and numbers too, which this product never leaves to the language, and weighs four times as much.
 */
export class I18n {
  locale = '';
  private tag = '';
  private readonly catalogues = new Map<string, Messages>();
  private readonly listeners = new Set<() => void>();

  /** Adds messages to a language. */
  load(locale: string, messages: Messages): void {
    this.catalogues.set(locale, { ...this.catalogues.get(locale), ...messages });
    this.changed();
  }

  /** Shows a language; `tag` is its name for Intl. */
  activate(locale: string, tag: string): void {
    this.locale = locale;
    this.tag = tag;
    this.changed();
  }

  /** Whether the language shown has this message. */
  has(id: string): boolean {
    return Object.hasOwn(this.catalogues.get(this.locale) ?? {}, id);
  }

  /** The text of a message; its id where there is none, so that a gap is seen and nothing breaks. */
  readonly t: Translate = (id, values = {}) =>
    this.has(id) ? write(this.catalogues.get(this.locale)?.[id] ?? [], values, this.tag) : id;

  /** Subscribes to changes of language or messages. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
