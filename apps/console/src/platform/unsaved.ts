import { useCallback, useEffect, useId } from 'react';

/** The editors on this page with changes that were not saved. */
const unsaved = new Set<string>();

/** Lets the browser ask before the tab is closed or loaded again. */
const askBrowser = (event: BeforeUnloadEvent): void => event.preventDefault();

function listen(): void {
  if (hasUnsaved()) addEventListener('beforeunload', askBrowser);
  else removeEventListener('beforeunload', askBrowser);
}

function report(editor: string, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(editor);
  else unsaved.delete(editor);
  listen();
}

/** Whether an editor on this page has changes that were not saved. */
export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Gives up all changes, before a page that must be left whatever the operator wants. */
export function discardUnsaved(): void {
  unsaved.clear();
  listen();
}

/** Returns what an editor calls with whether it has changes that were not saved; without the editor there are none. */
export function useUnsaved(): (isUnsaved: boolean) => void {
  const editor = useId();
  useEffect(() => () => report(editor, false), [editor]);
  return useCallback((isUnsaved) => report(editor, isUnsaved), [editor]);
}
