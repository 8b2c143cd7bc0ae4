import { press, type } from '@krapao/ui/testing/form.ts';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { Codes } from './codes.tsx';

const MAKE = 'POST /api/operator/bonuses/{code}/batches';
const app = await consoleApp();
const { t } = i18n;

test('printed codes that are pasted reach the server whole, however many, and are counted before that', async () => {
  app.reply('GET /api/operator/bonuses/{code}/batches', { batches: [], approval: null });
  app.reply(MAKE, { approval: 'AP1' });
  app.show(<Codes code="SPRING" />);
  await press(t('codes.make'));
  const codes = Array.from({ length: 300 }, (_, n) => `PRINTEDCODE2026X${String(n).padStart(4, '0')}`);
  type(t('codes.printed'), codes.join('\r\n'));
  expect(screen.getByText(t('codes.pasted', { count: 300 }))).toBeTruthy();
  type(t('field.reason'), 'printed cards');
  await press(t('withdrawals.sendToChecker'));
  expect(app.received(MAKE)).toMatchObject([{ body: { codes, reason: 'printed cards' } }]);
});
