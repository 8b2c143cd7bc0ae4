import type { FormEvent } from 'react';

/** Names are typed in capitals; the caret stays where it is. */
export function toUpper(event: FormEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  const { selectionStart, selectionEnd } = input;
  input.value = input.value.toUpperCase();
  input.setSelectionRange(selectionStart, selectionEnd);
}
