import { AlertDialog, type AlertTone, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import styles from './gallery.module.css';

type Open = 'sheet' | 'confirm' | 'busy' | AlertTone | null;

const TONES = Object.keys({
  ok: 0,
  bad: 0,
  wait: 0,
  confirm: 0,
  won: 0,
  none: 0,
} satisfies Record<AlertTone, 0>) as AlertTone[];

/** Samples of overlays; each opens from its button, which has the focus again afterwards. */
export function ModalSamples() {
  const { t } = useText();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <section className={styles.row} data-modals>
      <Button tone="soft" onClick={() => setOpen('sheet')}>
        {t('transfer.between')}
      </Button>
      {TONES.map((tone) => (
        <Button key={tone} tone="soft" onClick={() => setOpen(tone)}>
          {t('transfer.success')}
        </Button>
      ))}
      <Button tone="soft" onClick={() => setOpen('confirm')}>
        {t('transfer.all')}
      </Button>
      <Button tone="soft" onClick={() => setOpen('busy')}>
        {t('transfer.only')}
      </Button>
      <Button tone="soft" onClick={() => showToast('bad', t('error.MONEY_NOT_ENOUGH'))}>
        {t('status.failed')}
      </Button>
      {open === 'sheet' && (
        <Sheet
          title={t('transfer.between')}
          onClose={close}
          footer={<Button isWide>{t('btn.confirm')}</Button>}
        >
          <p>{t('transfer.allConfirm')}</p>
        </Sheet>
      )}
      {TONES.filter((tone) => tone === open).map((tone) => (
        <AlertDialog key={tone} tone={tone} title={t('transfer.success')} onClose={close}>
          {t('deposit.inWallet')}
        </AlertDialog>
      ))}
      {(open === 'confirm' || open === 'busy') && (
        <Confirm
          title={t('transfer.all')}
          confirmLabel={t('btn.confirm')}
          isDanger
          isBusy={open === 'busy'}
          onConfirm={close}
          onCancel={close}
        >
          {t('transfer.allConfirm')}
        </Confirm>
      )}
    </section>
  );
}
