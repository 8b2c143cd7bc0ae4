import { heldText } from '@krapao/ui/text/held-text.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ContactView } from '../features/contact/contact-view.tsx';
import { GUIDES } from '../features/howto/guides.ts';
import HowtoPage from '../features/howto/howto-page.tsx';
import { memberApp } from '../testing/member-app.tsx';
import { activateLanguage } from './language.ts';

const app = await memberApp();

/** What is drawn for a joiner within a word. */
const shown = (element: HTMLElement): string => (element.textContent ?? '').replaceAll('\u2060', '~');
const plain = (text: string) => (_: string, element: Element | null) =>
  element?.children.length === 0 && element.textContent?.replaceAll('\u2060', '') === text;

test('pages for visitors hold the words of operators’ texts together once they are shown', async () => {
  await activateLanguage('la', true);
  expect(heldText.hold('ຍອດຝາກ', 'la')).toBe('ຍອດຝາກ');
  app.reply('GET /api/lookup/contact', {
    contactText: 'ຖາມເລື່ອງຍອດຝາກ',
    lineLink: '',
    lineName: '@krapao',
    lineQR: '',
  });
  app.reply('GET /api/lookup/enableChatWidget', false);
  app.show(<ContactView />);
  await waitFor(() => expect(shown(screen.getByText(plain('ຖາມເລື່ອງຍອດຝາກ')))).toContain('ຍອດ~ຝາກ'));
});

test('guides’ titles of operators are held together', async () => {
  await activateLanguage('la', true);
  app.reply('GET /api/howto', { guides: [{ name: GUIDES[0]!.name, title: 'ກວດຍອດຝາກ', video: null }] });
  app.show(<HowtoPage />);
  await waitFor(() => expect(shown(screen.getByText(plain('ກວດຍອດຝາກ')))).toContain('ຍອດ~ຝາກ'));
});
