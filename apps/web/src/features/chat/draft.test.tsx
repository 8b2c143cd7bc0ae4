import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { memberApp, text } from '../../testing/member-app.tsx';
import ChatPanel from './chat-panel.tsx';

const app = await memberApp();

/** The panel with a button that opens it about each reference, and one that closes it. */
function Page() {
  const [about, setAbout] = useState<string | null>('');
  const to = (label: string, next: string | null) => (
    <button type="button" onClick={() => setAbout(next)}>
      {label}
    </button>
  );
  return (
    <>
      {to('close', null)}
      {to('open', '')}
      {to('ask', 'REF7')}
      <ChatPanel isOpen={about !== null} about={about ?? ''} onClose={() => setAbout(null)} />
    </>
  );
}
const press = (label: string) => fireEvent.click(screen.getByText(label));
const field = () => screen.getByPlaceholderText<HTMLTextAreaElement>(text('chat.placeholder'));
const question = text('chat.about', { reference: 'REF7' });

test('what is written and not sent is there again when the panel is opened again', () => {
  app.reply('POST /api/chat/history', []);
  app.reply('GET /api/chat/config', { PREFIX: 'chat', isOnline: true, hours: [], answerMinutes: null });
  app.reply('POST /api/chat/send-message', { _id: '7', createdAt: '2026-11-21T10:00:00Z', session_id: '1' });
  app.show(<Page />);
  fireEvent.change(field(), { target: { value: 'my money is' } });
  press('close');
  expect(screen.queryByPlaceholderText(text('chat.placeholder'))).toBe(null);
  press('open');
  expect(field().value).toBe('my money is');
  // A question about a reference stands before it, once.
  press('ask');
  expect(field().value).toBe(`${question}my money is`);
  fireEvent.change(field(), { target: { value: `${question}my money is late` } });
  press('close');
  press('ask');
  expect(field().value).toBe(`${question}my money is late`);
  fireEvent.keyDown(field(), { key: 'Enter' });
  press('close');
  press('open');
  expect(field().value).toBe('');
});

test('a question that was only begun for the customer does not stay', () => {
  app.reply('POST /api/chat/history', []);
  app.reply('GET /api/chat/config', { PREFIX: 'chat', isOnline: true, hours: [], answerMinutes: null });
  app.show(<Page />);
  press('ask');
  expect(field().value).toBe(question);
  press('close');
  press('open');
  expect(field().value).toBe('');
});
