import { Check, CircleAlert, Clock, Gift, Minus, X } from 'lucide';
import { type ReactNode, useId } from 'react';
import { useText } from '../text/text.tsx';
import styles from './alert-dialog.module.css';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Dialog } from './sheet.tsx';
import { supportSlot } from './support-slot.ts';

/** The outcome that the dialog reports, or that it is a question. */
export type AlertTone = 'ok' | 'bad' | 'wait' | 'confirm' | 'won' | 'none';

const ICONS = { ok: Check, bad: X, wait: Clock, confirm: CircleAlert, won: Gift, none: Minus };

interface AlertDialogProps {
  tone: AlertTone;
  title: string;
  children?: ReactNode;
  /** A second way on, above OK. */
  action?: { label: string; onPress: () => void } | undefined;
  onClose: () => void;
}

/** Says how something ended and waits for OK. */
export function AlertDialog({ tone, title, children, action, onClose }: AlertDialogProps) {
  const { t } = useText();
  return (
    <Frame tone={tone} title={title} onClose={onClose} text={children}>
      {action && (
        <Button isWide onClick={action.onPress}>
          {action.label}
        </Button>
      )}
      <Button isWide tone={action ? 'text' : 'primary'} onClick={onClose}>
        {t('btn.ok')}
      </Button>
    </Frame>
  );
}

interface ConfirmProps {
  title: string;
  children?: ReactNode;
  confirmLabel: string;
  /** "Cancel" unless something else fits better. */
  cancelLabel?: string;
  isDanger?: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Confirms an action before it runs; cancelling is always possible. */
export function Confirm({
  title,
  children,
  confirmLabel,
  cancelLabel,
  isDanger,
  isBusy,
  onConfirm,
  onCancel,
}: ConfirmProps) {
  const { t } = useText();
  return (
    <Frame tone="confirm" title={title} onClose={onCancel} text={children}>
      <Button isWide tone={isDanger ? 'danger' : 'primary'} isBusy={isBusy} onClick={onConfirm}>
        {confirmLabel}
      </Button>
      <Button isWide tone="text" onClick={onCancel}>
        {cancelLabel ?? t('btn.cancel')}
      </Button>
    </Frame>
  );
}

interface FrameProps {
  tone: AlertTone;
  title: string;
  text?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

function Frame({ tone, title, text, onClose, children }: FrameProps) {
  const id = useId();
  return (
    <Dialog role="alertdialog" className={styles.alert} titleId={id} onClose={onClose}>
      <span className={cx(styles.seal, styles[tone])}>
        <Icon of={ICONS[tone]} size={28} stroke={2.5} />
      </span>
      <h2 id={id}>{title}</h2>
      {text && <div className={styles.text}>{text}</div>}
      {tone === 'bad' && supportSlot.under(title)}
      <div className={styles.actions}>{children}</div>
    </Dialog>
  );
}
