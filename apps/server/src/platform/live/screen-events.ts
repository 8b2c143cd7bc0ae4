import { SCREEN_EVENTS, type ScreenEventResult } from '@krapao/contract/member';
import type { Socket } from 'socket.io';
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';

type Events = typeof SCREEN_EVENTS;

/** One handler per declared event; it gets arguments that fit the event's schema. */
export type ScreenHandlers = {
  [Name in keyof Events]: (...args: Static<Events[Name]>) => void | Promise<void>;
};

/** A client above this number of events per window receives REQUEST_LIMIT for the rest of the window. */
const EVENTS_MAX = 60;
const WINDOW_MS = 10_000;

const isDeclared = (name: unknown): name is keyof Events =>
  typeof name === 'string' && Object.hasOwn(SCREEN_EVENTS, name);

function createWindow(): () => boolean {
  let openedAt = 0;
  let count = 0;
  return () => {
    if (Date.now() - openedAt > WINDOW_MS) {
      openedAt = Date.now();
      count = 0;
    }
    return ++count <= EVENTS_MAX;
  };
}

/**
 * Receives every event of a socket: counts it, validates it against the contract, runs its handler and answers as the
 * contract says. Nothing is passed on to the socket's own listeners, so no other code sees unvalidated input. An
 * exception or rejection of a handler is given to `onError` and answered INTERNAL_SERVER_ERROR.
 */
export function receiveEvents(
  // biome-ignore lint/suspicious/noExplicitAny: any typing of the socket's own events will do
  socket: Socket<any, any, any, any>,
  handlers: ScreenHandlers,
  onError: (error: unknown, event: string) => void,
): void {
  const fits = createWindow();
  const run = async (name: unknown, args: unknown[]): Promise<ScreenEventResult['message']> => {
    if (!fits()) return 'REQUEST_LIMIT';
    if (!isDeclared(name) || !Check(SCREEN_EVENTS[name], args)) return 'INVALID_REQUEST';
    try {
      await (handlers[name] as (...valid: unknown[]) => void | Promise<void>)(...args);
      return 'OK';
    } catch (error) {
      onError(error, name);
      return 'INTERNAL_SERVER_ERROR';
    }
  };
  socket.use(([name, ...args]) => {
    const acknowledge = typeof args.at(-1) === 'function' ? args.pop() : null;
    void run(name, args).then((message) => {
      if (acknowledge) acknowledge({ message });
      else if (message !== 'OK') socket.emit('event_error', { message });
    });
  });
}
