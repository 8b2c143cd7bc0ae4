import { codeOf } from '@krapao/ui/api/api-error.ts';
import { useText } from '@krapao/ui/text/text.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNotice } from '../../components/notice.tsx';
import { api, isSignedOut, queries } from '../../platform/api.ts';
import { useGo } from '../../platform/paths.ts';
import type { Pending } from './rows.ts';
import type { MessageContent } from './types.ts';
import { changeUnsent, inTurn, isShown, unsentIn, useUnsent } from './unsent.ts';

const LINES = 30;
const THERE_MS = 10_000;
/** For how long a failure elsewhere can be opened from its notice. */
const FAILURE_SECONDS = 30;

export const readChatsAgain = () =>
  Promise.all(['chats', 'chat', 'today'].map((key) => queries.invalidateQueries({ queryKey: [key] })));

/** The messages of a conversation; earlier ones are read on demand. */
export function useRows(id: string) {
  return useInfiniteQuery({
    queryKey: ['chat', id, 'lines'],
    queryFn: ({ pageParam }) =>
      api('GET /api/operator/chats/{id}/messages', {
        params: { id },
        query: { limit: LINES, ...(pageParam ? { before: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ messages }) => (messages.length === LINES ? messages.at(-1)!.id : undefined),
  });
}

export const useHead = (id: string) =>
  useQuery({
    queryKey: ['chat', id],
    queryFn: () => api('GET /api/operator/chats/{id}', { params: { id } }),
    // No event reports when a customer opens or leaves the app.
    refetchInterval: THERE_MS,
  });

/** Reports a failure in a conversation: where it is not shown, with a button that opens it. */
function useFailureReport(id: string) {
  const { t } = useText();
  const notice = useNotice();
  const go = useGo();
  /** @param elsewhere the text where the conversation is not shown */
  return (error: unknown, elsewhere: string): void => {
    if (isSignedOut(codeOf(error))) return;
    if (isShown(id)) notice.complain(error);
    else
      notice.offerOpening(elsewhere, {
        label: t('chats.openChat'),
        seconds: FAILURE_SECONDS,
        perform: () => go(`/chats?open=${id}`),
      });
  };
}

/**
 * Sends messages one after another, in the order in which they were written, under ids of their own: what fails can be
 * sent again and is never there twice. A message belongs to its conversation, not to the page: it is still sent, or
 * marked as failed, after another conversation was opened.
 * @param name whom the conversation is with
 */
export function useSending(id: string, name: string) {
  const { t } = useText();
  const report = useFailureReport(id);
  const { pending } = useUnsent(id);
  const remove = ({ clientId }: Pick<Pending, 'clientId'>) =>
    changeUnsent(id, (before) => ({ pending: before.pending.filter((one) => one.clientId !== clientId) }));
  const mark = (clientId: string, status: Pending['status']) =>
    changeUnsent(id, (before) => ({
      pending: before.pending.map((one) => (one.clientId === clientId ? { ...one, status } : one)),
    }));
  /** Whether it is still to be sent: the end of the session deletes it, and the operator may. */
  const isPending = (clientId: string) => unsentIn(id).pending.some((one) => one.clientId === clientId);
  const post = async ({ clientId, message }: Pending) => {
    const body = { message: { ...message, deliver: { id: clientId } } as MessageContent };
    try {
      await inTurn(id, async () => {
        if (isPending(clientId))
          await api('POST /api/operator/chats/{id}/messages', { params: { id }, body });
      });
    } catch (error) {
      if (!isPending(clientId)) return;
      mark(clientId, 'failed');
      // The message itself shows that it failed, where it is shown.
      if (!isShown(id)) report(error, t('chats.failedElsewhere', { name }));
      return;
    }
    await readChatsAgain();
    remove({ clientId });
  };
  const send = (message: MessageContent) => {
    const one: Pending = { clientId: crypto.randomUUID(), message, status: 'sending' };
    changeUnsent(id, (before) => ({ pending: [...before.pending, one] }));
    void post(one);
  };
  const again = (one: Pending) => {
    mark(one.clientId, 'sending');
    void post(one);
  };
  return { pending, send, again, remove };
}

/**
 * Returns what saves the text of the composer as a note, one call at a time. A saved text leaves the composer unless it
 * was changed meanwhile; one that is refused stays.
 * @param name whom the conversation is with
 */
export function useNoteSaving(id: string, name: string): () => Promise<void> {
  const { t } = useText();
  const report = useFailureReport(id);
  return async () => {
    const { text, isSaving } = unsentIn(id);
    if (isSaving) return;
    changeUnsent(id, () => ({ isSaving: true }));
    try {
      await api('POST /api/operator/chats/{id}/notes', { params: { id }, body: { text: text.trim() } });
      changeUnsent(id, (before) => ({ text: before.text === text ? '' : before.text }));
    } catch (error) {
      if (unsentIn(id).isSaving) report(error, t('chats.noteFailedElsewhere', { name }));
    }
    changeUnsent(id, () => ({ isSaving: false }));
    await readChatsAgain();
  };
}

/**
 * Reports that an agent has read the conversation while the page is visible, and once it is visible again.
 * @param unread how many messages were unread at `readAt`, in ms: one that arrives while others are reported leaves the
 *   number the same, and so does a report that fails
 */
export function useReading(id: string, unread: number, readAt: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is still unread is reported again
  useEffect(() => {
    if (unread === 0) return;
    const report = () => {
      if (document.hidden) return;
      api('POST /api/operator/chats/{id}/read', { params: { id }, body: {} }).catch(() => undefined);
    };
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  }, [id, unread, readAt]);
}

/** Runs one action on a conversation and reads it again; reports an error and rethrows. */
export function useChatAction() {
  const notice = useNotice();
  return async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notice.complain(error);
      throw error;
    } finally {
      await readChatsAgain();
    }
  };
}
