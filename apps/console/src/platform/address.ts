import { useCallback, useState } from 'react';
import { useSearchParams } from 'wouter';

/** The filters of a page live in the address, so that a link shows a colleague the same rows. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const get = useCallback((name: string): string => params.get(name) ?? '', [params]);
  /** Changes some filters; an empty one leaves the address, and any change but of the place starts at the first page. */
  const set = useCallback(
    (changes: Record<string, string | number | null | undefined>) =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        if (!('cursor' in changes || 'open' in changes)) {
          next.delete('cursor');
        }
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === undefined || value === '') next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      }),
    [setParams],
  );
  return { get, set, key: listKey(params) };
}

/** A dialog that the address can open (`add=1`), as the palette does. */
export function useAddDialog() {
  const { get, set } = useAddress();
  return {
    isOpen: get('add') !== '',
    open: () => set({ add: 1 }),
    close: () => set({ add: null }),
  };
}

/**
 * The dialog of a page: one that was chosen there, or the one for a new row, `add`, that the address opens. `close`
 * closes either.
 */
export function usePageDialog<State>(canAdd: boolean, add: State) {
  const adding = useAddDialog();
  const [chosen, setDialog] = useState<State | null>(null);
  return {
    dialog: chosen ?? (adding.isOpen && canAdd ? add : null),
    setDialog,
    openAdd: adding.open,
    close: () => {
      setDialog(null);
      if (adding.isOpen) adding.close();
    },
  };
}

/** What names the list that is shown: every filter but the row that is open beside it and the columns it has. */
function listKey(params: URLSearchParams): string {
  const rest = new URLSearchParams(params);
  rest.delete('open');
  rest.delete('cols');
  rest.delete('add');
  return rest.toString();
}
