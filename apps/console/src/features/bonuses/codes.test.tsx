import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { Codes } from './codes.tsx';

const MAKE = 'POST /api/operator/bonuses/{code}/batches';
const app = await consoleApp();
const { t } = i18n;

test('printed codes that are pasted reach the server whole, however many, and are counted before that', async () => {
  app.reply('GET /api/operator/bonuses/{code}/batches', { batches: [], approval: null });
  app.reply(MAKE, { state: 'PENDING', approval: 'AP1' });
  app.show(<Codes code="SPRING" />);
  fireEvent.click(await screen.findByRole('button', { name: t('codes.make') }));
  const codes = Array.from({ length: 300 }, (_, n) => `PRINTEDCODE2026X${String(n).padStart(4, '0')}`);
  type(t('codes.printed'), codes.join('\r\n'));
  expect(screen.getByText(t('codes.pasted', { count: 300 }))).toBeTruthy();
  type(new RegExp(t('field.reason')), 'printed cards');
  press(t('withdrawals.sendToChecker'));
  await waitFor(() => expect(app.received(MAKE)).toHaveLength(1));
  expect(app.received(MAKE)).toMatchObject([{ body: { codes, reason: 'printed cards' } }]);
});
