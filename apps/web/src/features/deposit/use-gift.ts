import type { MemberApi } from '@krapao/contract/member';
import { ApiError, codeOf } from '@krapao/ui/api/api-error.ts';
import { useState } from 'react';
import { config } from '../../platform/config.ts';
import { refreshWallet, sendMoney } from '../../platform/member/wallet.ts';
import { pendingBody } from '../../platform/sheet-state.ts';
import { useIsShown } from '../../platform/use-is-shown.ts';

const CALL = 'POST /api/wallet/truelink';
type GiftReceipt = MemberApi[typeof CALL]['reply'];

/** The state of the gift form. One link is sent at a time, hidden; the same link again requests the first response. */
export function useGift(onDone: (receipt: GiftReceipt) => void) {
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState<unknown>(() => (pendingBody(CALL) ? unknownResult() : null));
  const [isBusy, setBusy] = useState(false);
  const isShown = useIsShown();
  const send = async () => {
    const text = link.trim();
    if (text === '' || isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      const { hideLink } = await import('./gift-cipher.ts');
      const hidden = await hideLink(text, config.giftPassphrase);
      // Nothing is sent from a form that was closed meanwhile.
      if (!isShown()) return;
      onDone(await sendMoney(CALL, { link: hidden }));
      refreshWallet();
    } catch (error) {
      setProblem(error);
      if (ownRow(error) !== null) refreshWallet();
      setBusy(false);
    }
  };
  const type = (text: string) => {
    setProblem(null);
    setLink(text);
  };
  return { link, setLink: type, problem, isBusy, send };
}

/** The row of a link that the member has sent before, where that is why it was refused. */
export function ownRow(problem: unknown): string | null {
  const own = codeOf(problem) === 'TRUELINK_DUPLICATE' && problem instanceof ApiError && problem.data.own;
  return typeof own === 'string' ? own : null;
}

const unknownResult = () => new ApiError('unknownResult');
