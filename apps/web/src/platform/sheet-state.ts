import { useHistoryState } from 'wouter/use-browser-location';

/** The sheets, by their name in the history. */
export type SheetName =
  | 'account'
  | 'agreement'
  | 'banner'
  | 'bonus'
  | 'exclusion'
  | 'close'
  | 'conditions'
  | 'data'
  | 'deposit'
  | 'devices'
  | 'howto'
  | 'invite'
  | 'kyc'
  | 'limit'
  | 'notifications'
  | 'password'
  | 'pin'
  | 'promotion'
  | 'push'
  | 'receipt'
  | 'refund'
  | 'slips'
  | 'slot'
  | 'transfer'
  | 'wheel'
  | 'withdraw';

/**
 * Which sheet is open lives in the browser's history: the back gesture closes it, and a reload finds it again
 * together with what was being sent from it.
 */
export interface SheetState {
  sheet: SheetName;
  /** What the sheet is about, such as a bank's or a game's code. */
  arg?: string;
  /** What its form starts with, where an errand is repeated. */
  fill?: SheetFill | undefined;
  /** How many entries of the history are below this sheet. */
  depth: number;
}

/** Fields of a form by the member's own earlier errand. */
export interface SheetFill {
  amount: number;
  from?: string;
  to?: string;
}

interface EntryState extends Partial<SheetState> {
  /** What was sent; `isAnswered` when each response to it was a refusal that decided nothing. */
  intent?: { call: string; body: string; key: string; isAnswered?: true };
}

const entry = (): EntryState => (history.state as EntryState | null) ?? {};

/** The open sheet, or null. */
export function useSheet(): SheetState | null {
  const state = useHistoryState<EntryState | null>();
  return state?.sheet ? (state as SheetState) : null;
}

/** Opens a sheet, or its next step when one is open already. */
export function openSheet(sheet: SheetName, arg?: string, fill?: SheetFill): void {
  const depth = (entry().depth ?? 0) + 1;
  history.pushState({ sheet, ...(arg && { arg }), ...(fill && { fill }), depth } satisfies SheetState, '');
}

/** Puts a sheet in place of the open one, if one is: Back does not lead to what has ended. */
export function swapSheet(sheet: SheetName, arg: string): void {
  if (!entry().sheet) return;
  history.replaceState({ sheet, arg, depth: entry().depth ?? 1 } satisfies SheetState, '');
}

/** What the open sheet's form starts with, or null. */
export const sheetFill = (): SheetFill | null => entry().fill ?? null;

/** Closes the open sheet with all its steps. */
export function closeSheet(): void {
  const { depth } = entry();
  if (depth) history.go(-depth);
}

/** Goes back one step, or closes a sheet that has only one. */
export function backSheet(): void {
  if (entry().depth) history.back();
}

/**
 * Begins to send an intent: its key, the same one for the same body until it is settled, and whether an earlier attempt
 * is without a response.
 */
export function startIntent(
  call: string,
  body: unknown,
  makeKey: () => string,
): { key: string; wasUnanswered: boolean } {
  const text = JSON.stringify(body);
  const { intent } = entry();
  const earlier = intent?.call === call && intent.body === text ? intent : null;
  const key = earlier?.key ?? makeKey();
  history.replaceState({ ...entry(), intent: { call, body: text, key } } satisfies EntryState, '');
  return { key, wasUnanswered: earlier !== null && !earlier.isAnswered };
}

/** Notes that an intent was refused without being decided: its key stays good, and nothing is under way. */
export function noteRefusal(key: string): void {
  const { intent } = entry();
  if (intent?.key !== key) return;
  history.replaceState({ ...entry(), intent: { ...intent, isAnswered: true } } satisfies EntryState, '');
}

/** Forgets an intent that has been decided. */
export function settleIntent(key: string): void {
  const { intent, ...rest } = entry();
  if (intent?.key === key) history.replaceState(rest, '');
}

/** What was sent, perhaps before a reload, and has no response; null when there is no such intent. */
export function pendingBody<T>(call: string): T | null {
  const { intent } = entry();
  return intent?.call === call && !intent.isAnswered ? (JSON.parse(intent.body) as T) : null;
}
