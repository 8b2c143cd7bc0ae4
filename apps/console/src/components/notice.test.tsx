import { TextProvider } from '@krapao/ui/text/text.tsx';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '../platform/i18n.ts';
import { NoticeHost, useNotice } from './notice.tsx';

function Speaker() {
  const notice = useNotice();
  return ['first', 'second'].map((text) => (
    <button key={text} type="button" onClick={() => notice.say(`${text} done`)}>
      {text}
    </button>
  ));
}

const shown = () => document.querySelector('output')?.textContent;

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <MantineProvider env="test">
      <TextProvider i18n={i18n}>
        <NoticeHost>
          <Speaker />
        </NoticeHost>
      </TextProvider>
    </MantineProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a notice lasts six seconds from its start, also when it follows another', () => {
  fireEvent.click(screen.getByText('first'));
  act(() => vi.advanceTimersByTime(5_000));
  fireEvent.click(screen.getByText('second'));
  act(() => vi.advanceTimersByTime(5_000));
  expect(shown()).toBe('second done');
  act(() => vi.advanceTimersByTime(1_001));
  expect(shown()).toBe('');
});

test('a page that goes leaves no timer behind', () => {
  fireEvent.click(screen.getByText('first'));
  cleanup();
  expect(vi.getTimerCount()).toBe(0);
});
