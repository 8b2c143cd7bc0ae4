import { Button } from '@krapao/ui/components/button.tsx';
import { MessageBox } from '@krapao/ui/components/message-box.tsx';
import { Sheet } from '@krapao/ui/components/sheet.tsx';
import { useText } from '@krapao/ui/text/text.tsx';
import type { ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { closeSheet } from '../sheet-state.ts';

interface UnansweredSheetProps {
  title: string;
  /** What was sent, with its amount. */
  text: string;
  /** Why the last repeat was refused, where that did not settle it. */
  problem: string | null;
  isBusy: boolean;
  onRepeat: () => void;
  children?: ReactNode;
}

/**
 * Takes the place of a form whose money call has no response. It offers the same call again, which is carried out once,
 * and no other amount: that would be another call.
 */
export function UnansweredSheet({ title, text, problem, isBusy, onRepeat, children }: UnansweredSheetProps) {
  const { t } = useText();
  const foot = (
    <>
      <Button isWide isBusy={isBusy} onClick={onRepeat}>
        {t('money.sendAgain')}
      </Button>
      <Button tone="text" isWide disabled={isBusy} onClick={() => navigate('/user/statement')}>
        {t('statement.title')}
      </Button>
    </>
  );
  return (
    <Sheet title={title} onClose={closeSheet} footer={foot}>
      {children}
      <MessageBox tone="warn" title={text}>
        {t('money.sentOnce')}
      </MessageBox>
      {problem && <MessageBox tone="bad">{problem}</MessageBox>}
    </Sheet>
  );
}
