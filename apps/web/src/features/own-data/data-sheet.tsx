import { download } from '@krapao/ui/api/download.ts';
import { Button } from '@krapao/ui/components/button.tsx';
import { Item } from '@krapao/ui/components/item.tsx';
import { saveFile } from '@krapao/ui/components/picture.ts';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { BadgeIcon } from '@krapao/ui/components/tile.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import layout from '@krapao/ui/style/layout.module.css';
import { useText } from '@krapao/ui/text/text.tsx';
import { Download, UserX } from 'lucide';
import { useState } from 'react';
import { apiSettings } from '../../platform/api.ts';
import { errorText } from '../../platform/error-text.ts';
import { closeSheet, openSheet } from '../../platform/sheet-state.ts';

/** The member's stored data as a file, and the account closure. */
export default function DataSheet() {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(await download(apiSettings, '/api/account/export', {}), 'my-data.json');
    } catch (error) {
      showToast('bad', errorText(t, error));
    }
    setBusy(false);
  };
  return (
    <Sheet title={t('data.title')} onClose={closeSheet}>
      <p className={layout.caption}>{t('data.about')}</p>
      <Button tone="soft" isWide icon={Download} isBusy={isBusy} onClick={save}>
        {t('data.download')}
      </Button>
      <div className={layout.card}>
        <Item
          lead={<BadgeIcon icon={UserX} tone="bad" />}
          title={t('close.title')}
          onPress={() => openSheet('close')}
        />
      </div>
    </Sheet>
  );
}
