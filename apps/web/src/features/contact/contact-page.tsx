import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { chooseLanguage } from '../../platform/language.ts';
import page from '../../platform/page.module.css';
import { CHAT_PLACE } from '../../platform/places.ts';
import { useSite } from '../../platform/site-info.ts';
import { SiteName } from '../../platform/site-name.tsx';
import { useTitle } from '../../platform/use-title.ts';
import { ContactView } from './contact-view.tsx';

/** Contact for visitors. */
export default function ContactPage() {
  const { t } = useText();
  const site = useSite();
  useTitle(`${t('contact.title')} – ${site.name}`);
  return (
    <>
      <TopBar name={<SiteName />} tag={site.sandboxTag}>
        <span id={CHAT_PLACE} />
        <LangSwitch onChoose={chooseLanguage} />
      </TopBar>
      <main className={page.page}>
        <ContactView />
      </main>
    </>
  );
}
