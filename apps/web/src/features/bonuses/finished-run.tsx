import type { MemberApi } from '@krapao/contract/member';
import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import type { Run } from '../../platform/member/bonus-run.ts';
import { useRunTexts } from '../../platform/member/bonus-texts.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import { sumText } from '../../platform/sum-text.ts';
import styles from './bonus.module.css';

const CONFETTI = Array.from({ length: 14 }, (_, index) => index);

/** A run that ended, and what the server ended it as. */
export interface Finished {
  run: Run;
  ended: MemberApi['GET /api/bonus/clear']['reply'];
}

/** How a run ended that was won, or was shown as won. */
export function FinishedRun({ onClose, ...finished }: Finished & { onClose: () => void }) {
  return finished.ended.state === 'SUCCESS' ? (
    <Won {...finished} onClose={onClose} />
  ) : (
    <Lost {...finished} onClose={onClose} />
  );
}

/** A run that was lost after its figures were shown. */
function Lost({ run, ended, onClose }: Finished & { onClose: () => void }) {
  const { t } = useText();
  const texts = useRunTexts();
  const { currency } = useKnownWallet().wallet;
  return (
    <AlertDialog tone="none" title={t('bonus.finished', { name: texts.name(run) })} onClose={onClose}>
      {t('bonus.endedLost', { amount: sumText(t, Math.max(0, ended.left), currency) })}
    </AlertDialog>
  );
}

/** Celebrates a run that was won and ended: its amount, and the link to withdraw it. */
function Won({ run, ended, onClose }: Finished & { onClose: () => void }) {
  const { t } = useText();
  const texts = useRunTexts();
  const { currency } = useKnownWallet().wallet;
  const withdraw = () => {
    onClose();
    openSheet('withdraw');
  };
  return (
    <AlertDialog
      tone="won"
      title={t('bonus.finished', { name: texts.name(run) })}
      action={{ label: t('withdraw.title'), onPress: withdraw }}
      onClose={onClose}
    >
      <span className={styles.confetti} aria-hidden="true">
        {CONFETTI.map((piece) => (
          <i
            key={piece}
            style={{ left: `${(piece * 37) % 100}%`, animationDelay: `${(piece % 5) * 60}ms` }}
          />
        ))}
      </span>
      <p className={styles.sum}>
        <Money amount={ended.left} currency={currency} isBig />
      </p>
      <p>{t('bonus.finishedLead')}</p>
    </AlertDialog>
  );
}
