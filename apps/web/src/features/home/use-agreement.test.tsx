import type { MemberApi } from '@krapao/contract/member';
import { press, ready } from '@krapao/ui/testing/form.ts';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeSheet, openSheet, useSheet } from '../../platform/sheet-state.ts';
import { fetchInfo, useSite } from '../../platform/site-info.ts';
import { memberApp, text } from '../../testing/member-app.tsx';
import AgreementSheet from '../agreement/agreement-sheet.tsx';
import { useAgreement } from './use-agreement.ts';

const INFO = 'GET /api/lookup/info';
const TEXTS = 'GET /api/lookup/agreements';
const app = await memberApp();

function Home() {
  useAgreement();
  const { agreement } = useSite();
  return (
    <>
      <output>{agreement}</output>
      {useSheet()?.sheet === 'agreement' && <AgreementSheet />}
    </>
  );
}

/** The revision in force; it only grows. */
let revision = 1;
const info = (): MemberApi[typeof INFO]['reply'] => ({
  name: 'Krapao',
  website: '',
  sandbox: false,
  agreement: revision,
  registerAge: 20,
});

/** What the live event about a newly published agreement does in an open app. */
async function publish(): Promise<void> {
  revision += 1;
  app.reply(TEXTS, [`<p>Agreement ${revision}</p>`]);
  app.reply(INFO, info());
  fetchInfo('en', true);
  await vi.waitFor(() => {
    // Draws what has come.
    act(() => undefined);
    expect(document.querySelector('output')?.textContent).toBe(String(revision));
  });
}

/** Lets the time go by after which an agreement is offered. */
const wait = () => act(() => vi.advanceTimersByTimeAsync(2000));
const opened = () => history.state?.sheet;

beforeEach(() => {
  // The history of these tests begins at another address.
  vi.spyOn(history, 'go').mockImplementation(() => history.replaceState(null, ''));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  localStorage.setItem('remember-agreement', String(revision));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a newly published agreement is asked for in an open app, with its own text', async () => {
  app.show(<Home />);
  await wait();
  expect(opened()).toBeUndefined();
  await publish();
  await wait();
  vi.useRealTimers();
  expect(await screen.findByText(`Agreement ${revision}`)).toBeTruthy();
  await publish();
  expect(await screen.findByText(`Agreement ${revision}`)).toBeTruthy();
  await ready(text('agree.accept'));
  press(text('agree.accept'));
  expect(localStorage.getItem('remember-agreement')).toBe(String(revision));
});

test('an open sheet is not interrupted by it; it follows once the sheet is closed', async () => {
  app.show(<Home />);
  act(() => openSheet('withdraw'));
  await publish();
  await wait();
  expect(opened()).toBe('withdraw');
  act(() => closeSheet());
  await wait();
  expect(opened()).toBe('agreement');
});

test('one that was closed without consent is not opened again on the same screen', async () => {
  app.show(<Home />);
  await publish();
  await wait();
  expect(opened()).toBe('agreement');
  act(() => closeSheet());
  await wait();
  expect(opened()).toBeUndefined();
});
