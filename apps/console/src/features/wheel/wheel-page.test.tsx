import type { OperatorApi } from '@krapao/contract/operator';
import { press, ready, type } from '@krapao/ui/testing/form.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, refusal } from '../../testing/console-app.tsx';
import { AT } from '../../testing/withdrawal.ts';
import { newSlice } from './draft.ts';
import { WheelPage } from './wheel-page.tsx';

const READ = 'GET /api/operator/wheels/{id}';
const SAVE = 'POST /api/operator/wheels/{id}/versions';
const app = await consoleApp();
const { t } = i18n;

type Reply = OperatorApi[typeof READ]['reply'];
type Plan = Reply['versions'][number]['plan'];
const texts = (text: string) => ({ th: text, la: text, en: text });
const slice = (index: number): Plan['slices'][number] => ({
  ...newSlice(index),
  label: texts('x'),
  weight: 10,
  prize: null,
});

/** The wheel in a version with this name. */
const versionOf = (latest: number, name: string): Reply => ({
  wheel: {
    id: 'W1',
    name: texts(name),
    currency: 'BAHT',
    state: 'DRAFT',
    version: null,
    latest,
    slices: 2,
    costPerSpin: 1,
    expectedCost: 0,
    spins: 0,
    won: 0,
    changedBy: 'malee',
    changedAt: AT,
    approval: null,
  },
  versions: [
    {
      version: latest,
      madeBy: 'malee',
      madeAt: AT,
      publishedAt: null,
      revertsTo: null,
      plan: { name: texts(name), costPerSpin: 1, slices: [slice(0), slice(1)] },
    },
  ],
  slices: [],
});

const label = new RegExp(`^${t('wheel.name')}`);
const name = () => screen.getByLabelText<HTMLInputElement>(label).value;
const readAgain = () => queries.invalidateQueries({ queryKey: ['wheels'] });

beforeEach(async () => {
  app.reply(READ, versionOf(1, 'Spring'));
  app.show(<WheelPage id="W1" />, '/wheels/W1');
  await screen.findByLabelText(label);
});

/** Saves what was written, with a reason. */
async function save(): Promise<void> {
  press(t('wheel.save'));
  const dialog = await screen.findByRole('dialog');
  type(new RegExp(t('field.reason')), 'new season');
  fireEvent.submit(within(dialog).getByLabelText(new RegExp(t('field.reason'))));
}

test('a changed plan stays when a newer version comes, and is saved after the version it began from', async () => {
  type(label, 'Summer');
  app.refuse(SAVE, 'ROW_CHANGED');
  await save();
  await noticed(refusal('ROW_CHANGED'));
  expect(app.received(SAVE).map(({ body }) => body.after)).toEqual([1]);
  await ready(t('btn.cancel'));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: t('btn.cancel') }));
  app.reply(READ, versionOf(2, 'Autumn'));
  await readAgain();
  await screen.findByText(t('edit.newer'));
  expect(name()).toBe('Summer');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: t('wheel.save') }).disabled).toBe(true);
  press(t('edit.showNewer'));
  expect(name()).toBe('Autumn');
});

test('an unchanged plan follows the newest version, and so does a saved one', async () => {
  app.reply(READ, versionOf(2, 'Autumn'));
  await readAgain();
  await waitFor(() => expect(name()).toBe('Autumn'));
  type(label, 'Winter');
  app.reply(SAVE, { id: 'W1', version: 3 });
  app.reply(READ, versionOf(3, 'Winter'));
  await save();
  await noticed(t('wheel.saved'));
  await screen.findByRole('button', { name: t('wheel.publish', { version: 3 }) });
  expect(name()).toBe('Winter');
  expect(screen.queryByText(t('edit.newer'))).toBe(null);
});

test('a failed background reading leaves the plan that is being written', async () => {
  type(label, 'Summer');
  app.refuse(READ, 'INTERNAL_SERVER_ERROR', {}, 503);
  await readAgain();
  await screen.findByText(refusal('INTERNAL_SERVER_ERROR'));
  expect(name()).toBe('Summer');
});
