import type { OperatorApi } from '@krapao/contract/operator';
import { localized } from '@krapao/contract/shared';
import { press } from '@krapao/ui/testing/form.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { queries } from '../../platform/api.ts';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed } from '../../testing/console-app.tsx';
import { AT } from '../../testing/withdrawal.ts';
import { ContentPage } from './content.tsx';

const READ = 'GET /api/operator/content';
const SAVE = 'PUT /api/operator/content/{key}/draft';
const app = await consoleApp();
const { t } = i18n;

type Reply = OperatorApi[typeof READ]['reply'];
const texts = (notice: string) => localized(() => ({ notice }));

/** A draft of a key in three languages, one of them empty. */
const draftOf = (key: 'news' | 'agreements'): Reply => {
  const words = localized((language) => {
    const text = language === 'la' ? '<p> </p>' : 'Text';
    return key === 'news' ? { notice: text } : { parts: [text] };
  });
  const draft = { id: '5', savedBy: 'malee', savedAt: AT, words };
  const row = { key, revision: 1, publishedAt: AT, publishedBy: 'operator:malee', words, draft };
  return { content: [row], pictures: [] };
};

/** The news as published, or with a draft. */
const newsOf = (draft: { id: string; text: string } | null): Reply => ({
  content: [
    {
      key: 'news',
      revision: 1,
      publishedAt: AT,
      publishedBy: 'operator:malee',
      words: texts('Open'),
      draft: draft && { id: draft.id, savedBy: 'malee', savedAt: AT, words: texts(draft.text) },
    },
  ],
  pictures: [],
});

const field = () =>
  within(screen.getByRole('region', { name: 'English' })).getByRole<HTMLTextAreaElement>('textbox');
const write = (value: string) => fireEvent.change(field(), { target: { value } });
const readAgain = () => queries.invalidateQueries({ queryKey: ['content'] });

beforeEach(async () => {
  app.reply(READ, newsOf(null));
  app.show(<ContentPage />, '/content');
  await screen.findByRole('region', { name: 'English' });
});

test('a changed text stays when a colleague saves a draft, until the operator discards it', async () => {
  write('Closed on Monday');
  app.reply(READ, newsOf({ id: '5', text: 'Closed' }));
  await readAgain();
  await screen.findByText(t('edit.newer'));
  expect(field().value).toBe('Closed on Monday');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: t('content.save') }).disabled).toBe(true);
  press(t('edit.showNewer'));
  expect(field().value).toBe('Closed');
  expect(screen.queryByText(t('edit.newer'))).toBe(null);
});

test('an unchanged text follows the server, also one that was changed back', async () => {
  write('Closed on Monday');
  write('Open');
  app.reply(READ, newsOf({ id: '5', text: 'Closed' }));
  await readAgain();
  await waitFor(() => expect(field().value).toBe('Closed'));
});

test('a saved text is followed by what the server stored', async () => {
  write('Closed on Monday');
  app.reply(SAVE, { id: '6', words: texts('Closed') });
  app.reply(READ, newsOf({ id: '6', text: 'Closed on Monday.' }));
  const button = screen.getByRole('button', { name: t('content.save') });
  fireEvent.click(button);
  fireEvent.click(button);
  await noticed(t('content.saved'));
  await waitFor(() => expect(field().value).toBe('Closed on Monday.'));
  expect(screen.queryByText(t('edit.newer'))).toBe(null);
  expect(app.received(SAVE)).toHaveLength(1);
});

test.each([
  ['news', 'content.emptyLanguages', false],
  ['agreements', 'content.emptyBarred', true],
] as const)(
  '%s with an empty language say which one; only agreements are not published so',
  async (key, id, isBarred) => {
    cleanup();
    queries.clear();
    app.reply(READ, draftOf(key));
    app.show(<ContentPage />, `/content?part=${key}`);
    expect(await screen.findByText(t(id, { languages: 'ລາວ' }))).toBeTruthy();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: t('content.publish') });
    expect(button.disabled).toBe(isBarred);
  },
);
