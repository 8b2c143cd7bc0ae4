import { useText } from '@krapao/ui/text/text.tsx';
import { type FormEvent, useState } from 'react';

/**
 * The fields of a form that must not be empty. Each empty one says so in the reader's language until it is typed
 * into; the first takes the focus.
 */
export function useRequired(names: readonly string[]) {
  const { t } = useText();
  const [empty, setEmpty] = useState<readonly string[]>([]);
  return {
    /** Marks the empty fields of the form; true when there is none. */
    isComplete(form: HTMLFormElement): boolean {
      const values = new FormData(form);
      const missing = names.filter((name) => String(values.get(name) ?? '').trim() === '');
      setEmpty(missing);
      if (missing[0]) (form.elements.namedItem(missing[0]) as HTMLElement | null)?.focus();
      return missing.length === 0;
    },
    /** For the form's `onInput`: what is typed into is no longer marked. */
    onInput: ({ target }: FormEvent) =>
      setEmpty((before) => before.filter((name) => name !== (target as HTMLInputElement).name)),
    /** The text at a field, or null. */
    errorOf: (name: string): string | null => (empty.includes(name) ? t('valid.required') : null),
  };
}
