import { useKnownWallet } from './wallet.ts';

/** The names of games by their codes; null when every game is allowed. */
export function useGameNames(codes: readonly string[] | null): string | null {
  const { slots } = useKnownWallet();
  if (!codes) return null;
  return codes.map((code) => slots.find((slot) => slot.code === code)?.name ?? code).join(', ');
}
