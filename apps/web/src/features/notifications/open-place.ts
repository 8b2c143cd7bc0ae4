import { navigate } from 'wouter/use-browser-location';
import { openSheet } from '../../platform/sheet-state.ts';

/** Sheets an address may name; none of them does anything by being opened. */
const SHEETS = ['receipt', 'slips', 'devices', 'kyc'] as const;

/** Opens what the address names: `?open=` a sheet, about `arg`, or the chat. The address is clean afterwards. */
export function openNamed(): void {
  const named = new URLSearchParams(location.search);
  const open = named.get('open');
  if (open === null) return;
  history.replaceState(history.state, '', location.pathname);
  if (open === 'chat') history.pushState({ chat: true }, '');
  const sheet = SHEETS.find((name) => name === open);
  if (sheet) openSheet(sheet, named.get('arg') ?? undefined);
}

/** Goes to a page of the app, and opens what its address names. */
export function openPlace(address: string): void {
  navigate(address);
  openNamed();
}
