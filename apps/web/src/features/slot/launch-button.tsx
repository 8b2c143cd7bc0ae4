import { Button } from '@krapao/ui/components/button.tsx';
import { showToast } from '@krapao/ui/components/toast.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import type { IconNode } from 'lucide';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { playErrorText } from '../../platform/member/error-text.ts';

interface LaunchButtonProps {
  slotCode: string;
  username: string | undefined;
  icon: IconNode;
}

/** Opens the game in a new tab with a link that works once. */
export function LaunchButton({ slotCode, username, icon }: LaunchButtonProps) {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);

  const launch = async () => {
    if (username === undefined) return;
    // Opened inside the press itself: a tab opened after waiting for the answer is blocked as a popup.
    const tab = window.open('', '_blank');
    if (tab) tab.opener = null;
    setBusy(true);
    try {
      const params = { game: slotCode, username };
      const { link } = await api('GET /api/autoLogin/{game}/{username}', { params });
      if (tab) tab.location.replace(link);
      else location.assign(link);
    } catch (error) {
      tab?.close();
      showToast('bad', playErrorText(t, error));
    }
    setBusy(false);
  };

  return (
    <Button isWide icon={icon} isBusy={isBusy} disabled={username === undefined} onClick={launch}>
      {t('game.enter')}
    </Button>
  );
}
