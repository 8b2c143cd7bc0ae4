import type { MemberApi } from '@krapao/contract/member';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { randomKey } from '@krapao/ui/api/random-key.ts';
import { createUpload } from '@krapao/ui/api/upload.ts';
import type { ChosenPicture } from '@krapao/ui/components/picture-upload.tsx';
import { useEffect, useRef, useState } from 'react';
import { apiSettings } from '../../platform/api.ts';
import { queryClient } from '../../platform/member/queries.ts';
import { updateWallet } from '../../platform/member/wallet.ts';
import { withAmount } from '../../platform/member/wallet-merge.ts';
import { mayBePicture } from '../../platform/picture-file.ts';
import { settles } from '../../platform/unanswered.ts';

const CALL = 'POST /api/wallet/slip';
export type SlipReceipt = MemberApi[typeof CALL]['reply'];

/** A picture over a slow line may take this long. */
const TIMEOUT_MS = 300_000;

const upload = createUpload<MemberApi>(apiSettings);

interface Chosen extends ChosenPicture {
  file: File;
  /** The same picture is sent under the same key until the server has decided it. */
  key: string;
}

/** The state of handing in a slip: the picture chosen, how far it has come, and what went wrong. */
export function useSlip(bankCode: string | null, maxSizeMB: number, onDone: (receipt: SlipReceipt) => void) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen?.url]);

  const choose = (file: File) => {
    setProblem(null);
    if (!mayBePicture(file, maxSizeMB))
      return setProblem(new ApiError('SLIP_INVALID_FILE', { limit: maxSizeMB }));
    setChosen({
      file,
      name: file.name,
      bytes: file.size,
      url: URL.createObjectURL(file),
      key: randomKey(),
    });
  };

  const remove = () => {
    setProblem(null);
    setChosen(null);
  };

  const send = async () => {
    if (progress !== null || !chosen) return;
    setProblem(null);
    setProgress(0);
    const form = new FormData();
    if (bankCode) form.append('bankCode', bankCode);
    form.append('file', chosen.file);
    running.current = new AbortController();
    try {
      const receipt = await upload(CALL, {
        form,
        idempotencyKey: chosen.key,
        isMoney: true,
        timeoutMs: TIMEOUT_MS,
        onProgress: setProgress,
        signal: running.current.signal,
      });
      updateWallet((known) => withAmount(known, receipt.wallet.amount));
      queryClient.invalidateQueries({ queryKey: ['statement'] });
      onDone(receipt);
    } catch (error) {
      setProgress(null);
      if (!(error instanceof ApiError)) return;
      setProblem(error);
      if (settles(error)) setChosen((known) => known && { ...known, key: randomKey() });
    }
  };
  return { chosen, progress, problem, choose, remove, send, stop: () => running.current?.abort() };
}
