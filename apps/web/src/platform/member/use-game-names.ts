import { useKnownWallet } from './wallet.ts';
import { gameName } from './wallet-merge.ts';

/** The names of games by their codes; null when every game is allowed. */
export function useGameNames(codes: readonly string[] | null): string | null {
  const wallet = useKnownWallet();
  if (!codes) return null;
  return codes.map((code) => gameName(wallet, code) ?? code).join(', ');
}
