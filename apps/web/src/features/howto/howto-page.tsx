import { Icon } from '@krapao/ui/components/icon.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { LangSwitch } from '@krapao/ui/components/lang-switch.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import { TopBar } from '@krapao/ui/components/top-bar.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { type IconNode, Play } from 'lucide';
import { api } from '../../platform/api.ts';
import { chooseLanguage } from '../../platform/language.ts';
import page from '../../platform/page.module.css';
import { CHAT_PLACE } from '../../platform/places.ts';
import { closeSheet, openSheet, useSheet } from '../../platform/sheet-state.ts';
import { useSite } from '../../platform/site-info.ts';
import { SiteName } from '../../platform/site-name.tsx';
import { useHeldTexts } from '../../platform/use-held-texts.ts';
import { useLoad } from '../../platform/use-load.ts';
import { useTitle } from '../../platform/use-title.ts';
import { GuideVideo } from './guide-video.tsx';
import { GUIDES, type Guide } from './guides.ts';
import styles from './howto.module.css';

/** A guide as operators show it. */
type ShownGuide = Omit<Guide, 'title'> & { title: string; own: string | null };

const loadGuides = () => api('GET /api/howto');

/** The guides of the app, with what operators changed once that is known. */
function useGuides(): ShownGuide[] {
  const { t, hold } = useText();
  const { data } = useLoad(loadGuides);
  useHeldTexts(data?.guides.some(({ title }) => title !== null) === true);
  const own = data?.guides ?? GUIDES.map(({ name }) => ({ name, title: null, video: null }));
  return own.flatMap(({ name, title, video }) => {
    const guide = GUIDES.find((known) => known.name === name);
    return guide
      ? [{ ...guide, title: title === null ? t(guide.title) : hold(title), own: video?.path ?? null }]
      : [];
  });
}

/** Short guides, each in its own sheet. */
export default function HowtoPage() {
  const { t } = useText();
  const site = useSite();
  const open = useSheet();
  useTitle(`${t('nav.howto')} – ${site.name}`);
  const guides = useGuides();
  const guide = open?.sheet === 'howto' ? guides.find(({ name }) => name === open.arg) : undefined;
  return (
    <>
      <TopBar name={<SiteName />} tag={site.sandboxTag}>
        <span id={CHAT_PLACE} />
        <LangSwitch onChoose={chooseLanguage} />
      </TopBar>
      <main className={page.page}>
        <div>
          <h1>{t('nav.howto')}</h1>
          <p className={layout.muted}>{t('howto.lead')}</p>
        </div>
        <div className={`${layout.card} ${layout.list}`}>
          {guides.map(({ name, icon, title, steps, own, seconds }) => (
            <Item
              key={name}
              lead={<Thumb name={name} icon={icon} hasPoster={own === null} />}
              title={title}
              detail={
                own === null
                  ? t('howto.film', { time: lengthText(seconds), count: steps.length })
                  : t('howto.ownFilm', { count: steps.length })
              }
              onPress={() => openSheet('howto', name)}
            />
          ))}
        </div>
      </main>
      {guide && <GuideSheet guide={guide} />}
    </>
  );
}

/** Minutes and seconds, as players write them. */
const lengthText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The first picture of a guide's film with a play sign; a film that operators put in its place has none. */
function Thumb({ name, icon, hasPoster }: { name: string; icon: IconNode; hasPoster: boolean }) {
  return (
    <span className={styles.thumb}>
      {hasPoster ? (
        <img src={`/howto/${name}.jpg`} alt="" width="64" height="84" loading="lazy" decoding="async" />
      ) : (
        <Icon of={icon} />
      )}
      <span className={styles.play}>
        <Icon of={Play} size={16} />
      </span>
    </span>
  );
}

function GuideSheet({ guide }: { guide: ShownGuide }) {
  const { t } = useText();
  return (
    <Sheet title={guide.title} onClose={closeSheet}>
      <GuideVideo key={guide.own} name={guide.name} title={guide.title} own={guide.own} />
      <ol className={styles.steps}>
        {guide.steps.map(({ icon, text }) => (
          <li key={text}>
            <BadgeIcon icon={icon} />
            <p>{t(text)}</p>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
