import { button, press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp } from '../../testing/console-app.tsx';
import { Schedules } from './schedules.tsx';

const LIST = 'GET /api/operator/report-schedules';
const ADD = 'POST /api/operator/report-schedules';
const SEND = 'POST /api/operator/report-schedules/{id}/send';
const app = await consoleApp();
const { t } = i18n;

const SCHEDULE = {
  id: '5',
  report: 'cash' as const,
  period: 'DAY' as const,
  format: 'xlsx' as const,
  recipients: ['owner@example.com'],
  language: 'en' as const,
  by: 'somsri',
  dueAt: '2026-11-24T06:00:00.000Z',
  sentAt: null,
  failure: null,
};

function addRecipient(address: string): void {
  const field = screen.getByLabelText(t('schedules.recipients'), { selector: 'input' });
  // The field ignores what is written into it without the focus.
  field.focus();
  type(t('schedules.recipients'), address);
  fireEvent.keyDown(field, { key: 'Enter' });
}

test('a schedule is saved once for two presses in a dialog that stays open; a recipient entered meanwhile stays', async () => {
  app.reply(LIST, { hasMail: true, schedules: [] });
  app.reply(ADD, { id: '5' });
  const release = app.hold(ADD);
  app.show(<Schedules report="cash" onClose={() => undefined} />);
  await screen.findByText(t('schedules.none'));
  addRecipient('owner@example.com');
  pressTwice(t('schedules.save'));
  await waitFor(() => expect(app.received(ADD)).toHaveLength(1));
  expect(button(t('btn.close')).disabled).toBe(true);
  addRecipient('auditor@example.com');
  release();
  await ready(t('schedules.save'));
  expect(screen.getByText('auditor@example.com')).toBeTruthy();
  expect(app.received(ADD)).toHaveLength(1);
});

test('a report is sent once for two presses', async () => {
  app.reply(LIST, { hasMail: true, schedules: [SCHEDULE] });
  app.reply(SEND, { message: 'OK' });
  app.show(<Schedules report="cash" onClose={() => undefined} />);
  await screen.findByText('owner@example.com');
  pressTwice(t('schedules.sendNow'));
  await waitFor(() => expect(app.received(LIST)).toHaveLength(2));
  await ready(t('schedules.sendNow'));
  press(t('schedules.sendNow'));
  await waitFor(() => expect(app.received(LIST)).toHaveLength(3));
  expect(app.received(SEND)).toHaveLength(2);
});

test('without a mail server no report can be sent now, and the page says why', async () => {
  app.reply(LIST, { hasMail: false, schedules: [SCHEDULE] });
  app.show(<Schedules report="cash" onClose={() => undefined} />);
  await screen.findByText(t('schedules.noMail'));
  expect(button(t('schedules.sendNow')).disabled).toBe(true);
  expect(button(t('schedules.sendNow')).title).toBe(t('error.NO_MAIL'));
});
