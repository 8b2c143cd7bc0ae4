import type { MemberApi } from '@krapao/contract/member';
import { KYC_MEGABYTES_MAX, type KycDocument } from '@krapao/contract/shared';
import { ApiError } from '@krapao/ui/api/api-error.ts';
import { createUpload } from '@krapao/ui/api/upload.ts';
import type { ChosenPicture } from '@krapao/ui/components/picture-upload.tsx';
import { useEffect, useRef, useState } from 'react';
import { apiSettings } from '../../platform/api.ts';
import { kycQuery, queryClient, takeResponse } from '../../platform/member/queries.ts';
import { mayBePicture } from '../../platform/picture-file.ts';

const CALL = 'POST /api/account/kyc/documents';
export type Kyc = MemberApi[typeof CALL]['reply'];

/** A picture over a slow line may take this long. */
const TIMEOUT_MS = 300_000;

const upload = createUpload<MemberApi>(apiSettings);

type Chosen = ChosenPicture & { file: File };

/** The documents that are still to be sent. */
export const missingOf = ({ wanted, received }: Kyc): KycDocument[] =>
  wanted.filter((kind) => !received.includes(kind));

/** The pictures chosen for the documents, which one is being sent and how far it has come, and what went wrong. */
export function useDocuments(kyc: Kyc) {
  const [chosen, setChosen] = useState<Partial<Record<KycDocument, Chosen>>>({});
  const [sending, setSending] = useState<{ kind: KycDocument; progress: number } | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const running = useRef<AbortController>(undefined);
  const shown = useRef(chosen);
  shown.current = chosen;
  useEffect(
    () => () => {
      running.current?.abort();
      for (const { url } of Object.values(shown.current)) URL.revokeObjectURL(url);
    },
    [],
  );

  const remove = (kind: KycDocument) => {
    URL.revokeObjectURL(chosen[kind]?.url ?? '');
    setChosen(({ [kind]: _, ...rest }) => rest);
  };
  const choose = (kind: KycDocument, file: File) => {
    if (!mayBePicture(file, KYC_MEGABYTES_MAX))
      return setProblem(new ApiError('SLIP_INVALID_FILE', { limit: KYC_MEGABYTES_MAX }));
    setProblem(null);
    const picture = { file, name: file.name, bytes: file.size, url: URL.createObjectURL(file) };
    setChosen((known) => ({ ...known, [kind]: picture }));
  };

  const sendOne = (kind: KycDocument, { file }: Chosen): Promise<Kyc> => {
    const form = new FormData();
    form.append('kind', kind);
    form.append('file', file);
    setSending({ kind, progress: 0 });
    return upload(CALL, {
      form,
      timeoutMs: TIMEOUT_MS,
      onProgress: (progress) => setSending({ kind, progress }),
      signal: running.current!.signal,
    });
  };
  /** Sends one after the other what is still missing, then reads what has come, so that nothing is sent twice. */
  const send = async () => {
    if (sending) return;
    setProblem(null);
    running.current = new AbortController();
    try {
      let latest = kyc;
      for (const kind of missingOf(kyc)) {
        if (!missingOf(latest).includes(kind)) continue;
        latest = await sendOne(kind, chosen[kind]!);
        takeResponse(kycQuery.queryKey, latest);
        remove(kind);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      setProblem(error);
    } finally {
      setSending(null);
      void queryClient.invalidateQueries({ queryKey: kycQuery.queryKey });
    }
  };
  const isComplete = missingOf(kyc).every((kind) => chosen[kind]);
  return { chosen, sending, problem, isComplete, choose, remove, send };
}
