import { useText } from '@krapao/ui/text/text.tsx';
import page from '../../platform/page.module.css';
import { useTitle } from '../../platform/use-title.ts';
import { ContactView } from './contact-view.tsx';

/** Contact for members; the page's column keeps it clear of the top bar. */
export default function MemberContactPage() {
  const { t } = useText();
  useTitle(t('contact.title'));
  return (
    <main className={page.page}>
      <ContactView />
    </main>
  );
}
