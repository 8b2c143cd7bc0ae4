/** Helpers for tests of the chat: words of members and guests, files, and live sockets. */
import { randomUUID } from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import type { ApiResponse, TestEnv, TestMember } from '../../testing/test-env.ts';

/** A customer: a member, or a guest by their secret. */
export type ChatClient = TestMember | { guestId: string };

const isMember = (who: ChatClient): who is TestMember => 'token' in who;

export function chatHelpers(env: TestEnv) {
  const open: Socket[] = [];
  const content = (who: ChatClient) => (isMember(who) ? {} : { guestId: who.guestId });
  const as = (who: ChatClient) => (isMember(who) ? { token: who.token } : {});
  const call = (who: ChatClient, method: string, path: string, body: object = {}): Promise<ApiResponse> =>
    env.call(method, `/api/chat/${path}`, { ...content(who), ...body }, as(who));
  return {
    guest: (): { guestId: string } => ({ guestId: randomUUID() }),
    call,
    say: (who: ChatClient, message: string, id?: string): Promise<ApiResponse> =>
      call(who, 'POST', 'send-message', {
        message: { message_type: 'text', payload: { message }, ...(id ? { deliver: { id } } : {}) },
      }),
    send: (who: ChatClient, message: object): Promise<ApiResponse> =>
      call(who, 'POST', 'send-message', { message }),
    history: async (who: ChatClient, limit = 100, skip = 0) =>
      (await call(who, 'POST', 'history', { limit, skip })).body,
    unread: async (who: ChatClient) => (await call(who, 'POST', 'unread')).body,
    read: (who: ChatClient, upTo?: string) => call(who, 'PUT', 'read-customer/', upTo ? { upTo } : {}),
    /** Uploads a file of this name. */
    async upload(name: string, bytes: Uint8Array, kind: 'image' | 'video' = 'image'): Promise<ApiResponse> {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(bytes)]), name);
      const reply = await fetch(`${env.url}/api/chat/upload-${kind}`, { method: 'POST', body: form });
      return { status: reply.status, body: await reply.json(), headers: reply.headers };
    },
    /** A live socket that has joined rooms and records the events about conversations. */
    async listen(rooms: readonly string[], token?: string, url = env.url) {
      const socket = io(url, {
        transports: ['websocket'],
        auth: token ? { token } : {},
        reconnection: false,
      });
      open.push(socket);
      const received: { message: { payload: { message: string } }; _id: string; sender: string }[] = [];
      const events: { kind: string }[] = [];
      socket.on('messaging', (item) => received.push(item));
      socket.on('chat', (event) => events.push(event));
      await new Promise((resolve) => socket.once('connect', () => resolve(null)));
      // A message sent before the server has joined a room is not received there.
      for (const room of rooms) await socket.emitWithAck('join', room);
      return { socket, received, events };
    },
    closeSockets: () => {
      for (const socket of open) socket.disconnect();
    },
  };
}
