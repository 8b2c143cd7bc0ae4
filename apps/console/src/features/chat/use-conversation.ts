import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useNotice } from '../../components/notice.tsx';
import { api, queries } from '../../platform/api.ts';
import type { Pending } from './rows.ts';
import type { MessageContent } from './types.ts';

const LINES = 30;
const THERE_MS = 10_000;

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

/** Sends words under ids of their own: what fails can be sent again and is never there twice. */
export function useSending(id: string) {
  const [pending, setPending] = useState<Pending[]>([]);
  const mark = useCallback(
    (clientId: string, status: Pending['status']) =>
      setPending((all) => all.map((one) => (one.clientId === clientId ? { ...one, status } : one))),
    [],
  );
  const post = useCallback(
    async ({ clientId, message }: Pick<Pending, 'clientId' | 'message'>) => {
      const body = { message: { ...message, deliver: { id: clientId } } as MessageContent };
      try {
        await api('POST /api/operator/chats/{id}/messages', { params: { id }, body });
        await readChatsAgain();
        setPending((all) => all.filter((one) => one.clientId !== clientId));
      } catch {
        mark(clientId, 'failed');
      }
    },
    [id, mark],
  );
  const send = (message: MessageContent) => {
    const one: Pending = { clientId: crypto.randomUUID(), message, status: 'sending' };
    setPending((all) => [...all, one]);
    void post(one);
  };
  const again = (one: Pending) => {
    mark(one.clientId, 'sending');
    void post(one);
  };
  const remove = ({ clientId }: Pending) =>
    setPending((all) => all.filter((one) => one.clientId !== clientId));
  return { pending, send, again, remove };
}

/** Tells that an agent has read the conversation, while it is looked at. */
export function useReading(id: string, unread: number): void {
  useEffect(() => {
    if (unread === 0 || document.hidden) return;
    api('POST /api/operator/chats/{id}/read', { params: { id }, body: {} }).catch(() => undefined);
  }, [id, unread]);
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
