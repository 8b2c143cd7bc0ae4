import type { PartnerResponse } from '../partner.ts';
import type { Span } from '../statement.ts';

/** The capabilities of a dialect; callers check them before use. */
export interface Capabilities {
  /** Smallest part of a credit it takes: 2 means hundredths. */
  creditDecimals: number;
}

export interface GameBalance {
  /** Hundredths of a credit that can be played or taken out. */
  credits: bigint;
  /** Hundredths of a credit in bets that are still open. */
  outstanding: bigint;
}

/** What a player's settled bets came to: what they staked, and what they won (or lost, below 0), in hundredths of a credit. */
export interface Played {
  turnover: bigint;
  result: bigint;
  /**
   * Null: the bets of the whole span. Else there are more than one call reads; these are the bets before this moment, and
   * the next call begins there.
   */
  until: Date | null;
}

/** A game provider. Credits are hundredths; `rejected` codes are USER_EXISTS, NO_USER, NOT_ENOUGH, ABSENT, DUPLICATE (the reference was used before) or OTHER. */
export interface GameProvider {
  capabilities: Capabilities;
  /** `event` names the season or draw the account belongs to, where there is one. */
  createPlayer(player: {
    username: string;
    password: string;
  }): Promise<PartnerResponse<{ username: string; event: string | null }>>;
  balance(username: string): Promise<PartnerResponse<GameBalance>>;
  /** What the player's settled bets of a span came to, by the provider's clock. */
  played(username: string, span: Span): Promise<PartnerResponse<Played>>;
  /** Positive moves credits into the game, negative out of it. */
  transfer(order: {
    username: string;
    credits: bigint;
    reference: string;
  }): Promise<PartnerResponse<{ credits: bigint }>>;
  /** `rejected` with ABSENT when the provider has never seen the reference. */
  checkTransfer(reference: string): Promise<PartnerResponse<{ credits: bigint }>>;
  /** Safe to repeat with the same password. */
  changePassword(player: {
    username: string;
    password: string;
  }): Promise<PartnerResponse<{ event: string | null }>>;
  /** Hundredths of a credit that the agent has left to give to players; absent where the dialect has no such call. */
  agentCredit?(): Promise<PartnerResponse<bigint>>;
  /** A link that logs the player in once. */
  launch(player: { username: string; language: string; returnUrl: string }): Promise<PartnerResponse<string>>;
}
