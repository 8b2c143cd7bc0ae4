import { onSessionEnd, sessionToken } from '../session.ts';
import type { WalletReply } from './wallet-merge.ts';

/** The figures as they were taken last, and when (ms since 1970). */
interface KeptWallet {
  wallet: WalletReply;
  takenAt: number;
}

const CACHE = 'krapao-kept';
const OWNER = 'x-session';

/** Browsers that forbid storage, and pages without a secure origin, have none. */
const store = (): Promise<Cache> | undefined => globalThis.caches?.open(CACHE);

/** Names the session without giving its token away. */
async function ownerOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function drop(): Promise<void> {
  await globalThis.caches?.delete(CACHE).catch(() => undefined);
}
onSessionEnd(drop);

/** Keeps the figures for a time without connection. Where that is not possible nothing is kept. */
export async function keepWallet(wallet: WalletReply): Promise<void> {
  const token = sessionToken();
  if (token === null) return;
  try {
    const headers = { [OWNER]: await ownerOf(token) };
    const kept: KeptWallet = { wallet, takenAt: Date.now() };
    await (await store())?.put('/kept/wallet', new Response(JSON.stringify(kept), { headers }));
    // The member may have left while it was being written.
    if (sessionToken() !== token) await drop();
  } catch {
    // Full or forbidden storage must never stand in the way of the figures themselves.
  }
}

/** The figures kept for this very session, or null; another session's are dropped. */
export async function readKeptWallet(): Promise<KeptWallet | null> {
  const token = sessionToken();
  try {
    const found = await (await store())?.match('/kept/wallet');
    if (!found || token === null) return null;
    if (found.headers.get(OWNER) === (await ownerOf(token))) return (await found.json()) as KeptWallet;
    await drop();
  } catch {
    // Nothing readable is nothing kept.
  }
  return null;
}
