import { configure, fireEvent, screen, waitFor } from '@testing-library/react';

configure({
  // One line says what was not found; the whole document beside it hides that.
  getElementError: (message) => new Error(message ?? 'not found'),
  // Without styles everything is visible; working that out for each element takes most of a query's time.
  defaultHidden: true,
  // A busy machine is slow, not wrong.
  asyncUtilTimeout: 60_000,
});

type Name = string | RegExp;

/** Types into the field of this label, in one go. */
export function type(label: Name, text: string): void {
  fireEvent.input(screen.getByLabelText(label, { selector: 'input, select, textarea' }), {
    target: { value: text },
  });
}

/** Chooses in the select of this label. */
export function choose(label: Name, value: string): void {
  fireEvent.change(screen.getByLabelText(label, { selector: 'input, select, textarea' }), {
    target: { value },
  });
}

const plain = (text: string): string => text.replace(/\s+/g, ' ');

/** The button of this name, whatever spaces the name has. */
export const button = (name: Name): HTMLButtonElement =>
  screen.getByRole('button', {
    name: typeof name === 'string' ? (found) => plain(found) === plain(name) : name,
  });

/** Presses the button of this name. */
export function press(name: Name): void {
  fireEvent.click(button(name));
}

/** Presses the button of this name twice in a row, as an impatient finger does. */
export function pressTwice(name: Name): void {
  const pressed = button(name);
  fireEvent.click(pressed);
  fireEvent.click(pressed);
}

/** Waits until the button of this name can be pressed. */
export const ready = (name: Name): Promise<void> =>
  waitFor(() => {
    if (button(name).disabled) throw new Error(`${name} cannot be pressed`);
  });
