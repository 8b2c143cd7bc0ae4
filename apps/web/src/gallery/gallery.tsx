/**
 * Every part of packages/ui on one page, in the language and theme of the address: `gallery.html?language=la&theme=dark`.
 * Not part of the production bundle.
 */
import 'virtual:fonts.css';
import '@krapao/ui/style/tokens.css';
import '@krapao/ui/style/base.css';
import { isLanguage } from '@krapao/contract/shared';
import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { ToastHost } from '@krapao/ui/components/toast.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import { TextProvider } from '@krapao/ui/text/text.tsx';
import { createRoot } from 'react-dom/client';
import { i18n } from '../platform/i18n.ts';
import { activateLanguage, wantAllMessages } from '../platform/language.ts';
import { applyTheme, type Theme } from '../platform/preferences.ts';
import { CardSamples } from './card-samples.tsx';
import { FieldSamples } from './field-samples.tsx';
import styles from './gallery.module.css';
import { ModalSamples } from './modal-samples.tsx';
import { RowSamples } from './row-samples.tsx';

function Gallery() {
  return (
    <>
      <TopBar name="Krapao" tag="Gallery" isWide>
        <LangSwitch onChoose={activateLanguage} />
      </TopBar>
      <main className={styles.page}>
        <FieldSamples />
        <CardSamples />
        <RowSamples />
        <ModalSamples />
      </main>
      <ToastHost />
    </>
  );
}

const wanted = new URLSearchParams(location.search);
const language = wanted.get('language');
applyTheme((wanted.get('theme') as Theme | null) ?? 'system');
await activateLanguage(isLanguage(language) ? language : 'th');
await wantAllMessages();
createRoot(document.getElementById('root') as HTMLElement).render(
  <TextProvider i18n={i18n}>
    <Gallery />
  </TextProvider>,
);
