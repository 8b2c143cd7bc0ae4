import { AlertDialog, Confirm } from '@krapao/ui/components/alert-dialog.tsx';
import { Button } from '@krapao/ui/components/button.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import { useState } from 'react';
import styles from './gallery.module.css';

type Open = 'sheet' | 'alert' | 'confirm' | null;

/** What lies over the page; each opens from its button, which has the focus again afterwards. */
export function ModalSamples() {
  const { t } = useText();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <section className={styles.row}>
      <Button tone="soft" onClick={() => setOpen('sheet')}>
        {t('transfer.between')}
      </Button>
      <Button tone="soft" onClick={() => setOpen('alert')}>
        {t('transfer.success')}
      </Button>
      <Button tone="soft" onClick={() => setOpen('confirm')}>
        {t('transfer.all')}
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
          <p>{t('transfer.allAsk')}</p>
        </Sheet>
      )}
      {open === 'alert' && (
        <AlertDialog tone="ok" title={t('transfer.success')} onClose={close}>
          {t('deposit.inWallet')}
        </AlertDialog>
      )}
      {open === 'confirm' && (
        <Confirm
          title={t('transfer.all')}
          confirmLabel={t('btn.confirm')}
          isDanger
          onConfirm={close}
          onCancel={close}
        >
          {t('transfer.allAsk')}
        </Confirm>
      )}
    </section>
  );
}
