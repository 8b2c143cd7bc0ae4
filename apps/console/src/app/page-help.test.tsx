import { LANGUAGES } from '@krapao/contract/shared';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HELP_PAGES } from '../help/types.ts';
import { i18n, showLanguage } from '../platform/i18n.ts';
import { consoleApp } from '../testing/console-app.tsx';
import { PageHelpSheet } from './page-help.tsx';
import { PAGES } from './pages.ts';

const app = await consoleApp();

test('every page explains itself', () => {
  expect(PAGES.map(({ id }) => id).toSorted()).toEqual([...HELP_PAGES].toSorted());
});

test.each(LANGUAGES)('the sheet tells purpose and terms in %s', async (language) => {
  await showLanguage(language);
  const { HELP } = (await import(`../help/${language}.ts`)) as typeof import('../help/en.ts');
  app.show(<PageHelpSheet page="withdrawals" onClose={() => undefined} />);
  const sheet = await screen.findByRole('dialog', { name: i18n.t('nav.withdrawals') });
  await screen.findByText(HELP.withdrawals.purpose);
  for (const [term, meaning] of HELP.withdrawals.terms) {
    expect(sheet.textContent).toContain(term);
    expect(sheet.textContent).toContain(meaning);
  }
  await showLanguage('en');
});
