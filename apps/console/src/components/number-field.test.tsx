import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { consoleApp } from '../testing/console-app.tsx';
import { NumberField } from './number-field.tsx';

const app = await consoleApp();
const values: (number | null)[] = [];

function Form({ initial }: { initial: number | null }) {
  const [value, setValue] = useState(initial);
  const put = (next: number | null) => {
    values.push(next);
    setValue(next);
  };
  return (
    <>
      <NumberField aria-label="figure" decimals={2} value={value} onChange={put} />
      <button type="button" aria-label="seven" onClick={() => setValue(7)} />
    </>
  );
}

/** Changes the text of the field to each of these in turn, as keys do, and returns what it shows in the end. */
function write(...texts: string[]): string {
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'figure' });
  for (const text of texts) fireEvent.change(field, { target: { value: text } });
  return field.value;
}

test.each([
  [['1', '1.', '1.5'], 1.5, '1.5'],
  [['9', '99', '99.', '99.5', '99.50'], 99.5, '99.50'],
  [['1', '10', '10.', '10.0', '10.05'], 10.05, '10.05'],
  [['0', '0.', '0.0', '0.05'], 0.05, '0.05'],
  [['1', '12', '123', '1234'], 1234, '1,234'],
  [['5', ''], null, ''],
])('typing %j means %j', (texts, value, shown) => {
  app.show(<Form initial={null} />);
  expect(write(...texts)).toBe(shown);
  expect(values.at(-1)).toBe(value);
});

test('a value from elsewhere replaces what was typed', () => {
  app.show(<Form initial={3} />);
  expect(write('3.', '3.2')).toBe('3.2');
  fireEvent.click(screen.getByRole('button', { name: 'seven' }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'figure' }).value).toBe('7');
});
