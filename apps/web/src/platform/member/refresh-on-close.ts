import { useEffect, useRef } from 'react';
import { refreshWallet } from './wallet.ts';

/**
 * Reads the wallet again when the sheet closes, by its button or by the back gesture, if something was saved in it.
 * Returns the function to call after a save; after the sheet has closed, it reads at once.
 */
export function useRefreshOnClose(): () => void {
  const sheet = useRef({ isOpen: true, hasSaved: false });
  useEffect(() => {
    const here = sheet.current;
    here.isOpen = true;
    return () => {
      here.isOpen = false;
      // The save itself has triggered a read: a response in flight is new enough.
      if (here.hasSaved) refreshWallet(true);
      here.hasSaved = false;
    };
  }, []);
  return () => {
    if (sheet.current.isOpen) sheet.current.hasSaved = true;
    else refreshWallet();
  };
}
