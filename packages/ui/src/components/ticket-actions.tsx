import { Download, Share2 } from 'lucide';
import { useState } from 'react';
import { useText } from '../text/text.tsx';
import { Button } from './button.tsx';
import { canShareFiles, drawTicket, saveFile, shareFile, type TicketPicture } from './picture.ts';
import styles from './ticket-actions.module.css';
import { showToast } from './toast.tsx';

interface TicketActionsProps {
  /** Called when it is wanted: making its codes takes a slow phone some time. */
  picture: () => TicketPicture;
  fileName: string;
}

/** Save and share the ticket as a picture; sharing only where the browser can. */
export function TicketActions({ picture, fileName }: TicketActionsProps) {
  const { t } = useText();
  const [canShare] = useState(canShareFiles);
  const run = (work: (blob: Blob, name: string) => unknown) => async () => {
    try {
      await work(await drawTicket(picture()), fileName);
    } catch {
      showToast('bad', t('error.generic'));
    }
  };
  return (
    <div className={styles.actions}>
      <Button tone="line" isSmall icon={Download} onClick={run(saveFile)}>
        {t('btn.savePicture')}
      </Button>
      {canShare && (
        <Button tone="line" isSmall icon={Share2} onClick={run(shareFile)}>
          {t('btn.share')}
        </Button>
      )}
    </div>
  );
}
