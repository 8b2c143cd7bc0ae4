import 'virtual:fonts.css';
import '@krapao/ui/style/tokens.css';
import '@krapao/ui/style/base.css';
import { PUBLIC_PATHS } from '@krapao/contract/pages';
import type { Language } from '@krapao/contract/shared';
import { languageTag } from '@krapao/contract/shared';
import { I18n } from '@krapao/ui/text/i18n.ts';
import { TextProvider } from '@krapao/ui/text/text.tsx';
import { prerender } from 'react-dom/static.edge';
import { App } from './app/app.tsx';
import type { PublicPath } from './app/routes.ts';
import { OfflinePage } from './features/dead-end/offline-page.tsx';
import { loadMessages } from './platform/messages.ts';

export { PUBLIC_PATHS };

/** The texts of one language for a page that is written at build time. */
export async function textsOf(language: Language): Promise<I18n> {
  const [first, rest] = await Promise.all([loadMessages(language, 'first'), loadMessages(language, 'rest')]);
  const i18n = new I18n();
  i18n.load(language, { ...first, ...rest });
  i18n.activate(language, languageTag(language));
  return i18n;
}

/** One public page as HTML. */
export async function writePage(path: string, i18n: I18n): Promise<string> {
  const { prelude } = await prerender(<App i18n={i18n} ssrPath={path} />);
  return new Response(prelude).text();
}

/** What a visitor without a connection sees, as HTML. */
export async function writeOfflinePage(i18n: I18n): Promise<string> {
  const page = (
    <TextProvider i18n={i18n}>
      <OfflinePage />
    </TextProvider>
  );
  return new Response((await prerender(page)).prelude).text();
}

const TITLES = {
  '/login': 'auth.login',
  '/register': 'auth.register',
  '/forgot': 'forgot.title',
  '/howto': 'nav.howto',
  '/contact': 'contact.title',
} as const satisfies Record<PublicPath, string>;

/** The page's title, as the page itself sets it later. */
export const titleOf = (path: PublicPath, i18n: I18n): string =>
  `${i18n.t(TITLES[path])} – ${i18n.t('shell.product')}`;
