import { press, pressTwice, ready, type } from '@krapao/ui/testing/form.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { i18n } from '../../platform/i18n.ts';
import { consoleApp, noticed, refusal } from '../../testing/console-app.tsx';
import { MEMBER_DETAIL } from '../../testing/member.ts';
import { Notes } from './notes.tsx';

const ADD = 'POST /api/operator/members/{id}/notes';
const app = await consoleApp();
const { t } = i18n;
const field = () => screen.getByLabelText<HTMLTextAreaElement>(t('member.newNote'));
const texts = () => app.received(ADD).map(({ body }) => body.text);

test('a note is added once, however often the button is pressed, and what is typed meanwhile stays', async () => {
  app.reply(ADD, { message: 'OK' });
  const release = app.hold(ADD);
  app.show(<Notes of={MEMBER_DETAIL} />);
  type(t('member.newNote'), 'called the bank ');
  pressTwice(t('member.addNote'));
  await waitFor(() => expect(texts()).toHaveLength(1));
  type(t('member.newNote'), 'they call back');
  release();
  await ready(t('member.addNote'));
  expect(field().value).toBe('they call back');
  press(t('member.addNote'));
  await waitFor(() => expect(field().value).toBe(''));
  expect(texts()).toEqual(['called the bank', 'they call back']);
});

test('a refused note stays in its field and can be added again', async () => {
  app.refuse(ADD, 'UNAUTHORIZED');
  app.show(<Notes of={MEMBER_DETAIL} />);
  type(t('member.newNote'), 'called the bank');
  press(t('member.addNote'));
  await noticed(refusal('UNAUTHORIZED'));
  expect(field().value).toBe('called the bank');
  await ready(t('member.addNote'));
});
