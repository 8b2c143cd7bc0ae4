import { useEffect, useRef } from 'react';
import { closeSheet, type SheetName, swapSheet } from './sheet-state.ts';

/**
 * Returns how a sheet closes or replaces itself once the server has answered. Both do nothing after the member has left
 * the sheet: another may be open by then.
 */
export function useOwnSheet(): { close: () => void; swap: (sheet: SheetName, arg: string) => void } {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return {
    close: () => {
      if (isOpen.current) closeSheet();
    },
    swap: (sheet, arg) => {
      if (isOpen.current) swapSheet(sheet, arg);
    },
  };
}
