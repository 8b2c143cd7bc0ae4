import type { MemberApi } from '@krapao/contract/member';
import { turnTo } from '@krapao/ui/components/wheel-turn.ts';
import { useCallback, useRef, useState } from 'react';
import { refreshPlayStop } from '../../platform/member/play-stop.tsx';
import { takeResponse } from '../../platform/member/queries.ts';
import { takeCoins } from '../../platform/member/wallet.ts';
import { sendOnce } from '../../platform/once-only.ts';
import { reloadWheel, resultOf, setupQuery, type Wheel } from './queries.ts';

type Result = NonNullable<MemberApi['POST /api/spinwheel/spin']['reply']['result']>;

/** One spin at a time: drawn by the server, then animated to its slice, then reported. */
export function useSpin(onFail: (error: unknown) => void) {
  const [turned, setTurned] = useState(0);
  const [state, setState] = useState<'still' | 'drawing' | 'turning' | 'shown'>('still');
  const [result, setResult] = useState<Result | null>(null);
  const isBusy = useRef(false);

  const spin = async (wheel: Wheel) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState('drawing');
    try {
      const drawn = resultOf(
        await sendOnce('POST /api/spinwheel/spin', undefined, { version: wheel.version }),
      );
      const index = wheel.slices.findIndex(({ code }) => code === drawn.code);
      setResult(drawn);
      takeCoins(drawn.remainingCoin);
      takeResponse(setupQuery.queryKey, (known) => known && { ...known, userCoin: drawn.remainingCoin });
      // A slice that is not drawn here belongs to a wheel that was changed meanwhile: it is reported without the animation.
      if (index >= 0) setTurned((from) => turnTo(from, index, wheel.slices.length));
      setState(index >= 0 ? 'turning' : 'shown');
    } catch (error) {
      isBusy.current = false;
      setState('still');
      onFail(error);
      refreshPlayStop(error);
      reloadWheel();
    }
  };
  const rest = useCallback(() => setState((now) => (now === 'turning' ? 'shown' : now)), []);
  const close = () => {
    isBusy.current = false;
    setState('still');
    setResult(null);
    reloadWheel();
  };
  return { turned, state, result, spin, rest, close };
}
