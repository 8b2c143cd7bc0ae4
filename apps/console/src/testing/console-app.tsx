import { type OperatorApi, PERMISSIONS, type Permission } from '@krapao/contract/operator';
import { type HttpStub, startHttpStub } from '@krapao/ui/testing/http-stub.ts';
import { TextProvider } from '@krapao/ui/text/text.tsx';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect } from 'vitest';
import { NoticeHost } from '../components/notice.tsx';
import { theme } from '../components/theme.ts';
import { queries } from '../platform/api.ts';
import { refusalText } from '../platform/error-text.ts';
import { i18n, showLanguage } from '../platform/i18n.ts';
import { MeContext } from '../platform/me.ts';

/** The operator who is signed in. */
export const OPERATOR: OperatorApi['GET /api/operator/me']['reply'] = {
  name: 'somsri',
  role: 'finance',
  permissions: [...PERMISSIONS],
  sandbox: false,
  makerChecker: true,
  idleSeconds: 3600,
};

/** A row of another operator, not assigned. */
export const MEMBER = { id: '100001', name: 'Somchai' };

/** The page fields of a list with one page. */
export const ONE_PAGE = { isTotalExact: true, previous: null, next: null, last: null };

/** The text of a refusal for an operator. */
export const refusal = (code: string): string => refusalText(i18n.t, code);

interface ConsoleApp extends HttpStub<OperatorApi> {
  /** Shows a page to an operator who may do everything, or only what is given. */
  show(page: ReactNode, address?: string, permissions?: readonly Permission[]): void;
  /** Sends once for each possible refusal: each is shown, and the dialog stays open. */
  refuseEach(call: keyof OperatorApi, codes: readonly string[], send: HTMLElement): Promise<void>;
}

/** Waits for this text in the notice at the foot of the page. */
export const noticed = (text: string): Promise<void> =>
  waitFor(() => expect(document.querySelector('output')?.textContent).toBe(text));

/** The console's real client on a stub, in English, with an operator who may do everything signed in. */
export async function consoleApp(): Promise<ConsoleApp> {
  const stub = await startHttpStub<OperatorApi>();
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
  happyDOM.setURL(`${stub.origin}/`);
  // The document of these tests loads no fonts; text areas wait for them to measure themselves.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await showLanguage('en');
  beforeEach(() => {
    stub.reset();
    stub.reply('GET /api/operator/views', { views: [], columns: [] });
  });
  afterEach(() => {
    cleanup();
    queries.clear();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '', '/');
    expect(stub.unanswered).toEqual([]);
  });
  const show: ConsoleApp['show'] = (page, address = '/', permissions = PERMISSIONS) => {
    history.replaceState(null, '', address);
    render(
      <MantineProvider theme={theme} env="test">
        <TextProvider i18n={i18n}>
          <QueryClientProvider client={queries}>
            <NoticeHost>
              <MeContext value={{ ...OPERATOR, permissions: [...permissions] }}>{page}</MeContext>
            </NoticeHost>
          </QueryClientProvider>
        </TextProvider>
      </MantineProvider>,
    );
  };
  const refuseEach: ConsoleApp['refuseEach'] = async (call, codes, send) => {
    for (const code of codes) {
      stub.refuse(call, code);
      await waitFor(() => expect(send).toHaveProperty('disabled', false));
      fireEvent.click(send);
      await noticed(refusalText(i18n.t, code));
      expect(screen.getByRole('dialog')).toBeTruthy();
    }
    expect(stub.received(call)).toHaveLength(codes.length);
  };
  return { ...stub, show, refuseEach };
}
