import { AlertDialog } from '@krapao/ui/components/alert-dialog.tsx';
import { Money } from '@krapao/ui/components/money.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import type { Run } from '../../platform/member/bonus-run.ts';
import { useRunTexts } from '../../platform/member/bonus-texts.ts';
import { useKnownWallet } from '../../platform/member/wallet.ts';
import { openSheet } from '../../platform/sheet-state.ts';
import styles from './bonus.module.css';

const CONFETTI = Array.from({ length: 14 }, (_, index) => index);

/** Celebrates a run that was won and ended: its amount, and the link to withdraw it. */
export function FinishedRun({ run, onClose }: { run: Run; onClose: () => void }) {
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
        <Money amount={Math.min(run.balance, run.withdrawMost ?? run.balance)} currency={currency} isBig />
      </p>
      <p>{t('bonus.finishedLead')}</p>
    </AlertDialog>
  );
}
