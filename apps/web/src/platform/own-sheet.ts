import { closeSheet, type SheetName, swapSheet } from './sheet-state.ts';
import { useIsShown } from './use-is-shown.ts';

/**
 * Returns how a sheet closes or replaces itself once the server has answered. Both do nothing after the member has left
 * the sheet: another may be open by then.
 */
export function useOwnSheet(): { close: () => void; swap: (sheet: SheetName, arg: string) => void } {
  const isOpen = useIsShown();
  return {
    close: () => {
      if (isOpen()) closeSheet();
    },
    swap: (sheet, arg) => {
      if (isOpen()) swapSheet(sheet, arg);
    },
  };
}
