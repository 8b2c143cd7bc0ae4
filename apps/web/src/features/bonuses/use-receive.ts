import type { MemberApi } from '@krapao/contract/member';
import { codeOf } from '@krapao/ui/api/api-error.ts';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { type Offer, refreshBonuses } from './queries.ts';

type Call = 'GET /api/bonus/activate/{code}' | 'GET /api/promotion/activate/{code}';

type Saved = MemberApi[Call]['reply'];

/** Receives a bonus or promotion under the terms that are shown; a second try of one that was received is refused, so trying again is safe. */
export function useReceive(call: Call, { code, version }: Pick<Offer, 'code' | 'version'>) {
  const [isBusy, setBusy] = useState(false);
  const [saved, setSaved] = useState<Saved | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const receive = async () => {
    setBusy(true);
    try {
      const receiveAt = api as (name: string, input: object) => Promise<Saved>;
      setSaved(await receiveAt(call, { params: { code }, query: { version } }));
    } catch (error) {
      // The next press sends the version that is shown by then.
      if (codeOf(error) === 'BONUS_CHANGED') await refreshBonuses();
      setFailure(error);
    }
    refreshBonuses();
    setBusy(false);
  };
  return { receive, isBusy, saved, failure, forget: () => setFailure(null) };
}
