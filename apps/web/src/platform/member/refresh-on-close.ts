import { useEffect, useRef } from 'react';
import { refreshWallet } from './wallet.ts';

/**
 * Asks for the wallet again when the sheet goes, by its button or by the back gesture, if something was saved in it.
 * Answers what to call when something is saved; after the sheet has gone, that asks at once.
 */
export function useRefreshOnClose(): () => void {
  const sheet = useRef({ isOpen: true, hasSaved: false });
  useEffect(() => {
    const here = sheet.current;
    here.isOpen = true;
    return () => {
      here.isOpen = false;
      // What was saved has asked by itself: an answer that is still on its way is new enough.
      if (here.hasSaved) refreshWallet(true);
      here.hasSaved = false;
    };
  }, []);
  return () => {
    if (sheet.current.isOpen) sheet.current.hasSaved = true;
    else refreshWallet();
  };
}
