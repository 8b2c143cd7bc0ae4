import type { OperatorApi, WebhookEventType } from '@krapao/contract/operator';
import { press, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, ONE_PAGE, refusal } from '../../testing/console-app.tsx';
import { WebhookPage } from './endpoint.tsx';
import { WebhooksPage } from './webhooks.tsx';

const LIST = 'GET /api/operator/webhooks';
const CREATE = 'POST /api/operator/webhooks';
const CHANGE = 'PUT /api/operator/webhooks/{id}';
const STATE = 'POST /api/operator/webhooks/{id}/state';
const ROTATE = 'POST /api/operator/webhooks/{id}/secret';
const REPLAY = 'POST /api/operator/webhooks/{id}/replay';
const DELIVERIES = 'GET /api/operator/webhooks/{id}/deliveries';
const DELIVERY = 'GET /api/operator/webhook-deliveries/{id}';
const AGAIN = 'POST /api/operator/webhook-deliveries/{id}/replay';
const app = await consoleApp();
const { t } = i18n;

const EVENTS: WebhookEventType[] = ['deposit.credited', 'withdrawal.paid'];
type Row = OperatorApi[typeof LIST]['reply']['webhooks'][number];
const ENDPOINT: Row = {
  id: 'WH1',
  url: 'https://books.example/hooks',
  description: 'Bookkeeping',
  events: ['deposit.credited'],
  currency: null,
  state: 'ENABLED',
  disabledReason: null,
  failingSince: null,
  succeededAt: '2026-11-23T06:00:00.000Z',
  formerSecretUntil: null,
  createdBy: 'operator:somsri',
  createdAt: '2026-11-22T06:00:00.000Z',
  waiting: 3,
  oldestWaitingAt: '2026-11-23T06:00:00.000Z',
};
const GIVEN_UP: OperatorApi[typeof DELIVERY]['reply']['delivery'] = {
  id: '9',
  eventId: 'evt_1',
  type: 'deposit.credited',
  subject: 'member:100001',
  state: 'GIVEN_UP',
  happenedAt: '2026-11-20T06:00:00.000Z',
  nextAt: null,
  endedAt: '2026-11-23T06:00:00.000Z',
  attempts: 14,
  status: null,
  failure: 'TIMEOUT',
  latencyMs: 10_001,
};
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const list = (change: Partial<Row> = {}) =>
  app.reply(LIST, { webhooks: [{ ...ENDPOINT, ...change }], events: EVENTS });

beforeEach(() => {
  list();
  app.reply(DELIVERIES, { ...ONE_PAGE, deliveries: [GIVEN_UP], total: 1 });
});

const body = (call: keyof OperatorApi) => app.received(call).at(-1)?.body;

async function showEndpoint(permissions?: Parameters<typeof app.show>[2]): Promise<void> {
  app.show(<WebhookPage id="WH1" />, '/webhooks/WH1', permissions);
  await screen.findByText('deposit.credited');
}
async function openQuestion(question: 'disable' | 'rotate' | 'replay' | 'enable'): Promise<void> {
  press(t('team.more', { name: ENDPOINT.description }));
  (await screen.findByRole('menuitem', { name: t(`webhook.${question}`) })).click();
  await screen.findByText(t(`webhook.${question}Note`));
}

test('an endpoint is added with every event; a refused address keeps the form, and the secret is shown', async () => {
  app.show(<WebhooksPage />, '/webhooks');
  await screen.findByText('Bookkeeping');
  expect(screen.getByText(t('webhook.someEvents', { count: 1, total: 2 }))).toBeTruthy();
  press(t('webhook.add'));
  await screen.findByRole('dialog');
  type(/Address/, 'https://10.0.0.1/hooks');
  type(/Description/, 'Warehouse');
  type(/Reason/, 'the warehouse listens');
  app.refuse(CREATE, 'WEBHOOK_URL');
  press(t('webhook.save'));
  await noticed(t('error.WEBHOOK_URL'));
  type(/Address/, 'https://warehouse.example/hooks');
  app.reply(CREATE, { id: 'WH2', secret: SECRET });
  press(t('webhook.save'));
  await screen.findByText(SECRET);
  expect(body(CREATE)).toEqual({
    url: 'https://warehouse.example/hooks',
    description: 'Warehouse',
    events: EVENTS,
    currency: null,
    reason: 'the warehouse listens',
  });
  within(screen.getByRole('alert'))
    .getByRole('button', { name: t('btn.close') })
    .click();
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull());
});

test('a change says what its form began with; one that a colleague has changed meanwhile keeps the form', async () => {
  await showEndpoint();
  press(t('webhook.edit'));
  await screen.findByRole('dialog');
  type(/Description/, 'Books');
  type(/Reason/, 'another name');
  list({ url: 'https://new.example/hooks' });
  await queries.invalidateQueries({ queryKey: ['webhooks'] });
  app.refuse(CHANGE, 'ROW_CHANGED', {}, 409);
  press(t('webhook.save'));
  await noticed(refusal('ROW_CHANGED'));
  const { url, description, events, currency } = ENDPOINT;
  expect(body(CHANGE)).toEqual({
    url,
    description: 'Books',
    events,
    currency,
    reason: 'another name',
    seen: { url, description, events, currency },
  });
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('the secret is changed and shown once; the page tells how long the former one signs', async () => {
  await showEndpoint();
  await openQuestion('rotate');
  type(/Reason/, 'it was in a mail');
  app.reply(ROTATE, { secret: SECRET, formerSecretUntil: '2026-11-24T06:00:00.000Z' });
  list({ formerSecretUntil: '2026-11-24T06:00:00.000Z' });
  screen
    .getAllByRole('button', { name: t('webhook.rotate') })
    .at(-1)!
    .click();
  await screen.findByText(SECRET);
  await screen.findByText(/former secret also signs until/);
});

test('one that the server disabled shows the reason, and is enabled with a reason', async () => {
  list({ state: 'DISABLED', disabledReason: 'FAILING' });
  await showEndpoint();
  expect(screen.getByText(t('webhook.disabled-FAILING'))).toBeTruthy();
  await openQuestion('enable');
  type(/Reason/, 'they mended it');
  app.reply(STATE, { message: 'OK' });
  screen
    .getAllByRole('button', { name: t('webhook.enable') })
    .at(-1)!
    .click();
  await noticed(t('webhook.done'));
  expect(body(STATE)).toEqual({ state: 'ENABLED', reason: 'they mended it' });
});

test('deliveries are filtered by several states, and events are left out', async () => {
  app.show(<WebhookPage id="WH1" />, '/webhooks/WH1?state=GIVEN_UP,SKIPPED&type=!withdrawal.paid');
  const chip = t('filter.is', { name: t('col.state'), value: t('webhookState.SKIPPED') });
  fireEvent.click(await screen.findByRole('button', { name: t('filter.remove', { filter: chip }) }));
  await waitFor(() => {
    const sent = new URLSearchParams(app.received(DELIVERIES).at(-1)?.path.split('?')[1]);
    expect([sent.get('state'), sent.get('type')]).toEqual(['GIVEN_UP', '!withdrawal.paid']);
  });
});

test('days are replayed: only undelivered events by default', async () => {
  await showEndpoint();
  await openQuestion('replay');
  for (const [label, day] of [
    [t('days.from'), '20/11/2026'],
    [t('days.to'), '21/11/2026'],
  ] as const) {
    const field = screen.getAllByLabelText(label, { selector: 'input' }).at(-1)!;
    fireEvent.input(field, { target: { value: day } });
    fireEvent.keyDown(field, { key: 'Enter' });
  }
  type(/Reason/, 'they lost two days');
  app.reply(REPLAY, { replayed: 12 });
  screen
    .getAllByRole('button', { name: t('webhook.replay') })
    .at(-1)!
    .click();
  await noticed(t('webhook.replayed', { count: 12 }));
  expect(body(REPLAY)).toEqual({
    from: '2026-11-20T00:00:00+07:00',
    to: '2026-11-22T00:00:00+07:00',
    states: ['GIVEN_UP', 'SKIPPED'],
    reason: 'they lost two days',
  });
});

test('a delivery shows body and attempts, and is sent again', async () => {
  app.reply(DELIVERY, {
    delivery: GIVEN_UP,
    body: '{"id":"evt_1","data":{"amountMinor":50000}}',
    attempts: [
      { at: '2026-11-20T06:00:00.000Z', status: 500, failure: null, latencyMs: 40, response: 'out of order' },
    ],
  });
  app.reply(AGAIN, { message: 'OK' });
  await showEndpoint();
  expect(screen.getByText(t('webhookFailure.TIMEOUT'))).toBeTruthy();
  screen.getByText('deposit.credited').click();
  await screen.findByText('out of order');
  expect(screen.getByText(/"amountMinor": 50000/)).toBeTruthy();
  press(t('webhook.again'));
  await noticed(t('webhook.againDone'));
  // It is read again, until it is known to wait.
  await waitFor(() => expect(app.received(DELIVERY).length).toBeGreaterThan(1));
  expect(app.received(AGAIN)).toHaveLength(1);
});

test('who may only look sees no action', async () => {
  await showEndpoint(['webhook.read']);
  expect(screen.queryByText(t('webhook.test'))).toBeNull();
});

test('an endpoint that cannot be read is an error and a button that reads again', async () => {
  app.refuse(LIST, 'INTERNAL_SERVER_ERROR', {}, 503);
  app.show(<WebhookPage id="3" />, '/webhooks/3');
  await screen.findByText(refusal('INTERNAL_SERVER_ERROR'));
  app.reply(LIST, { webhooks: [], events: [] });
  press(t('btn.retry'));
  await screen.findByText(t('shell.notFound'));
});
