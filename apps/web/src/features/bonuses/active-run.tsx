import { Icon } from '@krapao/ui/components/icon.tsx';
import { KeyValue } from '@krapao/ui/components/item.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { Separated } from '@krapao/ui/components/separated.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { dateTimeText } from '@krapao/ui/text/date-text.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { ChevronDown, Sparkles } from 'lucide';
import { isLate, isWon, missingOf, type Run } from '../../platform/member/bonus-run.ts';
import { useRunTexts } from '../../platform/member/bonus-texts.ts';
import { useGameNames } from '../../platform/member/use-game-names.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import styles from './bonus.module.css';
import { EndButtons } from './end-buttons.tsx';
import type { Finished } from './finished-run.tsx';
import { shareOf } from './rules.ts';

/** The run under way: what it is, how far it has come, and the ways it ends. */
export function ActiveRun({ run, onFinish }: { run: Run; onFinish: (finished: Finished) => void }) {
  const { t } = useText();
  const texts = useRunTexts();
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-labelledby="active-bonus">
      <div className={layout.row}>
        <BadgeIcon icon={Sparkles} tone="gold" />
        <div className={layout.grow}>
          <p className={layout.caption}>
            <Separated parts={[t('bonus.active'), run.type === 'promotion' && texts.kind(run)]} />
          </p>
          <h2 id="active-bonus">{texts.name(run)}</h2>
        </div>
      </div>
      {run.target > 0 && <BalanceBar run={run} />}
      {run.turnoverNeeded > 0 && <TurnoverBar run={run} />}
      <Standing run={run} />
      <Terms run={run} />
      <EndButtons run={run} onFinish={onFinish} />
    </section>
  );
}

/** A progress, as bar and text. */
function Bar({ label, share, floor }: { label: string; share: number; floor?: number }) {
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.floor(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span className={styles.done} style={{ transform: `scaleX(${share})` }} />
      {floor !== undefined && <span className={styles.floor} style={{ left: `${floor * 100}%` }} />}
    </div>
  );
}

function BalanceBar({ run }: { run: Run }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  return (
    <div className={`${layout.stack} ${layout.close}`}>
      <div className={styles.ends}>
        <span>
          {t('bonus.balanceNow')}{' '}
          <b>
            <Money amount={Math.max(0, run.balance)} currency={currency} />
          </b>
        </span>
        <span className={layout.muted}>
          {t('bonus.target')} <Money amount={run.target} currency={currency} />
        </span>
      </div>
      <Bar
        label={t('bonus.target')}
        share={shareOf(run.balance, run.target)}
        floor={run.floor > 0 ? run.floor / run.target : undefined}
      />
    </div>
  );
}

function TurnoverBar({ run }: { run: Run }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  return (
    <div className={`${layout.stack} ${layout.close}`}>
      <div className={styles.ends}>
        <span>
          {t('bonus.turnover')}{' '}
          <b>
            <Money amount={run.turnover} currency={currency} />
          </b>
        </span>
        <span className={layout.muted}>
          {t('bonus.turnoverOf')} <Money amount={run.turnoverNeeded} currency={currency} />
        </span>
      </div>
      <Bar label={t('bonus.turnover')} share={shareOf(run.turnover, run.turnoverNeeded)} />
    </div>
  );
}

/** In words what is missing, or that it can end. */
function Standing({ run }: { run: Run }) {
  const { t } = useText();
  const texts = useRunTexts();
  if (isLate(run)) return <MessageBox tone="warn">{t('bonus.timeOver')}</MessageBox>;
  if (isWon(run)) return <MessageBox tone="ok">{t('bonus.mayEnd')}</MessageBox>;
  if (missingOf(run).isOver) return <MessageBox tone="info">{t('bonus.mayEndLost')}</MessageBox>;
  return (
    <p className={`${layout.label} ${layout.muted}`}>
      {texts.missing(run)} <span className={styles.phrase}>{texts.orFloor(run)}</span>
    </p>
  );
}

function Terms({ run }: { run: Run }) {
  const { t } = useText();
  const { currency } = useKnownWallet().wallet;
  const games = useGameNames(run.games);
  return (
    <details className={styles.terms}>
      <summary>
        {t('bonus.conditions')}
        <Icon of={ChevronDown} size={20} />
      </summary>
      <dl className={layout.list}>
        <KeyValue name={t('bonus.base')}>
          <Money amount={run.base} currency={currency} />
        </KeyValue>
        <KeyValue name={t('bonus.floor')}>
          <Money amount={run.floor} currency={currency} />
        </KeyValue>
        {run.withdrawMost !== null && (
          <KeyValue name={t('bonus.withdrawMost')}>
            <Money amount={run.withdrawMost} currency={currency} />
          </KeyValue>
        )}
        {games && <KeyValue name={t('bonus.games')}>{games}</KeyValue>}
        <KeyValue name={t('bonus.expires')}>{dateTimeText(run.expiresAt)}</KeyValue>
      </dl>
      <p className={`${layout.caption} ${styles.small}`}>{t('bonus.expiryTakes')}</p>
    </details>
  );
}
