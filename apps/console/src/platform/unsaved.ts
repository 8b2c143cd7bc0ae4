import { useCallback, useEffect, useId } from 'react';

/** The editors on this page with changes that were not saved. */
const unsaved = new Set<string>();

/** Lets the browser ask before the tab is closed or loaded again. */
const askBrowser = (event: BeforeUnloadEvent): void => event.preventDefault();

function report(editor: string, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(editor);
  else unsaved.delete(editor);
  if (hasUnsaved()) addEventListener('beforeunload', askBrowser);
  else removeEventListener('beforeunload', askBrowser);
}

/** Whether an editor on this page has changes that were not saved. */
export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Returns what an editor calls with whether it has changes that were not saved; without the editor there are none. */
export function useUnsaved(): (isUnsaved: boolean) => void {
  const editor = useId();
  useEffect(() => () => report(editor, false), [editor]);
  return useCallback((isUnsaved) => report(editor, isUnsaved), [editor]);
}
