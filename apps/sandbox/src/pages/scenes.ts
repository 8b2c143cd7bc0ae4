/** Scenarios: common troubles, each one fault of the control API. */
import type { Fault } from '../environment/state.ts';
import type { IconName } from './icons.ts';
import type { LabelId } from './texts.ts';

interface Scene {
  label: LabelId;
  hint: LabelId;
  symbol: IconName;
  fault: Omit<Fault, 'id' | 'struck'>;
}

export const SCENES: readonly Scene[] = [
  {
    label: 'scene.bankDown',
    hint: 'scene.bankDownHint',
    symbol: 'bank',
    fault: { party: 'bank-a', kind: 'outage' },
  },
  {
    label: 'scene.payoutCut',
    hint: 'scene.payoutCutHint',
    symbol: 'bolt',
    fault: { party: 'bank-a', call: 'payout', kind: 'cut-after', count: 1 },
  },
  {
    label: 'scene.payoutRejected',
    hint: 'scene.payoutRejectedHint',
    symbol: 'x',
    fault: { party: 'bank-a', call: 'settle-payout', kind: 'refuse', count: 1 },
  },
  {
    label: 'scene.forged',
    hint: 'scene.forgedHint',
    symbol: 'alert',
    fault: { party: 'bank-a', call: 'confirmation', kind: 'wrong-signature', count: 1 },
  },
  {
    label: 'scene.lateOtp',
    hint: 'scene.lateOtpHint',
    symbol: 'clock',
    fault: { party: 'sms', call: 'deliver', kind: 'late', ms: 60_000, count: 1 },
  },
  {
    label: 'scene.gameCut',
    hint: 'scene.gameCutHint',
    symbol: 'dices',
    fault: { party: 'game-f', call: 'transfer', kind: 'cut-after', count: 1 },
  },
  {
    label: 'scene.gameDown',
    hint: 'scene.gameDownHint',
    symbol: 'lock',
    fault: { party: 'game-f', kind: 'refuse' },
  },
  {
    label: 'scene.noisy',
    hint: 'scene.noisyHint',
    symbol: 'wifi',
    fault: { party: 'game-f', kind: 'cut-after', chance: 0.2 },
  },
];
