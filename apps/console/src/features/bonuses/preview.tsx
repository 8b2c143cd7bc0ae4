import { type Language, languageTag } from '@krapao/contract/shared';
import { CleanHtml } from '@krapao/ui/components/clean-html.tsx';
import { amountText, CURRENCY_SYMBOL } from '@krapao/ui/text/amount-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { Tag } from '../../components/cells.tsx';
import styles from './bonuses.module.css';
import type { Draft } from './draft.ts';

const PERCENT = 100;

/** What a member who puts in the least deposit gets, and what they then play for; null while figures are missing. */
function exampleOf(draft: Draft) {
  const { depositLeast, successPercent, failPercent, turnoverTimes } = draft;
  const isBound = draft.award === 'percent' || draft.needsDeposit;
  const deposit = isBound ? depositLeast : 0;
  if (deposit === null || successPercent === null || failPercent === null || turnoverTimes === null)
    return null;
  const most = draft.awardMost ?? Number.POSITIVE_INFINITY;
  const award =
    draft.award === 'fixed' ? draft.fixed : Math.min(most, (deposit * (draft.percent ?? 0)) / PERCENT);
  if (award === null) return null;
  const base = deposit + award;
  return {
    deposit,
    award,
    target: (base * successPercent) / PERCENT,
    floor: (base * failPercent) / PERCENT,
    turnover: base * turnoverTimes,
  };
}

function Example({ of: draft }: { of: Draft }) {
  const { t } = useText();
  const example = exampleOf(draft);
  if (!example) return null;
  const money = (amount: number) => CURRENCY_SYMBOL[draft.currency] + amountText(amount);
  const names = ['deposit', 'award', 'target', 'floor', 'turnover'] as const;
  return (
    <dl className={styles.facts}>
      {names
        .filter((name) => example[name] > 0 || name === 'award')
        .map((name) => (
          <Fact key={name} name={t(`bonusExample.${name}`)} value={money(example[name])} />
        ))}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** How a member's phone shows it: its card in the list, and what opens from it, with the least deposit as example. */
export function Preview({ of: draft, language }: { of: Draft; language: Language }) {
  const { t } = useText();
  const cover = draft.banners[0]?.image;
  const title = draft.title[language] || '–';
  const isCode = draft.kind === 'promotion';
  return (
    <section className={styles.phone} aria-label={t('content.preview')} lang={languageTag(language)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
      <div className={styles.screen} tabIndex={0}>
        {!isCode && (
          <div className={styles.card}>
            {cover ? <img className={styles.cover} src={cover} alt="" /> : <span className={styles.cover} />}
            <div className={styles.texts}>
              <strong>{title}</strong>
              <br />
              <Tag tone="brand">{t('bonus.available')}</Tag>
            </div>
          </div>
        )}
        <div className={styles.sheet}>
          {cover && <img className={styles.cover} src={cover} alt="" />}
          <strong>{title}</strong>
          <CleanHtml markup={draft.description[language]} />
          {draft.banners[0]?.html[language] && <CleanHtml markup={draft.banners[0].html[language]} />}
          <Example of={draft} />
          <span className={styles.receive}>{t('bonus.receive')}</span>
        </div>
      </div>
    </section>
  );
}
