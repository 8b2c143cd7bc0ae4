import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { Partners, successPercent } from './partners.tsx';

const PARTNERS = 'GET /api/operator/partners';
const app = await consoleApp();
const { t } = i18n;

test('each partner with its share of answers and times, each account with its age', async () => {
  app.reply(PARTNERS, {
    partners: [
      {
        partner: 'bank',
        calls: 200,
        failed: 1,
        averageMs: 120,
        slowestMs: 900,
        lastFailedAt: '2026-11-25T10:00:00.000Z',
      },
    ],
    credits: [
      { partner: 'game-f', agent: 'betflix', credit: 1234.5, isLow: false, readAt: new Date().toISOString() },
      { partner: 'sms', agent: '', credit: 12, isLow: true, readAt: new Date().toISOString() },
    ],
    feeds: [{ bankCode: 'SCB', accountNo: '••4445', answeredAt: new Date().toISOString(), isSilent: false }],
  });
  app.show(<Partners />);
  const card = await screen.findByRole('region', { name: t('partner.title') });
  expect(card.textContent).toContain(t('partner.bank'));
  expect(card.textContent).toContain(t('partner.rate', { percent: 99.5, count: 200 }));
  expect(card.textContent).toContain(t('partner.times', { average: 120, slowest: 900 }));
  expect(card.textContent).toContain('SCB ••4445');
  expect(card.textContent).toContain(t('partner.agent', { name: 'betflix' }));
  expect(card.textContent).toContain(t('partner.credits', { credit: '1,234.50' }));
  expect(card.textContent).toContain(t('partner.messages', { count: 12 }));
});

test('without calls and accounts there is no card', async () => {
  app.reply(PARTNERS, { partners: [], credits: [], feeds: [] });
  app.show(<Partners />);
  await waitFor(() => expect(app.received(PARTNERS)).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
});

test('one failure of many is not rounded away', () => {
  expect(successPercent({ calls: 10_000, failed: 1 })).toBe(99.9);
  expect(successPercent({ calls: 3, failed: 0 })).toBe(100);
});
