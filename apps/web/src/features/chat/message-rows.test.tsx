import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import { ItemRow } from './message-rows.tsx';

const app = await memberApp();

test('names who answers without the name of a person, whatever a server of the version before sends', () => {
  const item = {
    _id: '1',
    sender: 'agent' as const,
    message: { message_type: 'text' as const, payload: { message: 'hello' }, deliver: { id: 'a' } },
    userId: null,
    guestId: null,
    username: null,
    name: 'somchai.k',
    createdAt: '2026-11-21T10:00:00.000Z',
    session_id: '1',
  };
  const row = { kind: 'item' as const, key: '1', item, isLast: true, hasReplies: false };
  app.show(<ItemRow row={row} isRead={false} onPostback={() => undefined} />);
  expect(screen.getByText(new RegExp(text('chat.agent')))).toBeTruthy();
  expect(screen.queryByText(/somchai/)).toBeNull();
});
