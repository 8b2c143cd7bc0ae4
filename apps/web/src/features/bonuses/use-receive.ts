import type { MemberApi } from '@krapao/contract/member';
import { useState } from 'react';
import { api } from '../../platform/api.ts';
import { refreshBonuses } from './queries.ts';

type Call = 'GET /api/bonus/activate/{code}' | 'GET /api/promotion/activate/{code}';

/** Receives a bonus or promotion; a second try of one that was received is refused, so trying again is safe. */
export function useReceive(call: Call, code: string) {
  const [isBusy, setBusy] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const receive = async () => {
    setBusy(true);
    try {
      await (api as (name: string, input: object) => Promise<MemberApi[Call]['reply']>)(call, {
        params: { code },
      });
      setSaved(true);
    } catch (error) {
      setFailure(error);
    }
    refreshBonuses();
    setBusy(false);
  };
  return { receive, isBusy, isSaved, failure, forget: () => setFailure(null) };
}
