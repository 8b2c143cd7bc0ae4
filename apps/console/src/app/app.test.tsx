import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queries } from '../platform/api.ts';
import { i18n } from '../platform/i18n.ts';
import { keepRecent, recentItems } from '../platform/recent.ts';
import { consoleApp } from '../testing/console-app.tsx';
import { App } from './app.tsx';

const ME = 'GET /api/operator/me';
const app = await consoleApp();
const { t } = i18n;

afterEach(() => vi.unstubAllGlobals());

test('what an operator read and opened is gone when the session ends', async () => {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  );
  app.reply(ME, {
    ...{ name: 'somsri', role: 'support', permissions: [], sandbox: false },
    ...{ makerChecker: true, idleSeconds: 3600 },
  });
  app.show(<App />, '/nowhere');
  await screen.findAllByRole('navigation');
  queries.setQueryData(['member', '100001'], { name: 'Somchai' });
  keepRecent({ path: '/members/100001', title: 'Somchai', kind: 'member' });
  app.refuse(ME, 'EXPIRED_AUTH_TOKEN');
  await queries.invalidateQueries({ queryKey: ['me'] });
  await waitFor(() => expect(screen.getByText(t('signIn.ended'))).toBeTruthy());
  expect(queries.getQueryData(['member', '100001'])).toBeUndefined();
  expect(recentItems()).toEqual([]);
});
