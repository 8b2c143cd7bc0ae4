import { io, type Socket } from 'socket.io-client';
import { pause } from '../server.ts';

/** What was seen of the load since a moment. */
export interface Observed {
  /** The longest time without a money call that succeeded, in s. */
  gapSeconds: number;
  calls: number;
  /** Calls answered 503, whose sender tries again. */
  unavailable: number;
  /** Calls whose connection broke or was refused, to the proxy or (502) from it to a server, as when one is killed. */
  broken: number;
  /** Calls answered with anything else that is no success. */
  failed: string[];
  /** Sockets that have received no event in the last 5 s, while their members withdraw. */
  deaf: number;
}

/** Members who withdraw without pause, each intent until it is acknowledged, and who listen. */
export interface Load {
  acknowledged: string[];
  /** Forgets what was seen so far. */
  begin(): void;
  observed(): Observed;
  stop(): Promise<void>;
}

const AGAIN_MS = 20;
const SOCKETS_EACH = 3;

/** Starts `inFlight` members at an address, with three live connections each; a call that is not answered is repeated under the same key. */
export function startLoad(url: string, tokens: readonly string[], inFlight: number): Load {
  const acknowledged: string[] = [];
  let running = true;
  let serial = 0;
  let lastAt = performance.now();
  let seen = { gapMs: 0, calls: 0, unavailable: 0, broken: 0, failed: [] as string[] };
  const success = () => {
    const now = performance.now();
    seen.gapMs = Math.max(seen.gapMs, now - lastAt);
    lastAt = now;
  };
  async function intent(at: number): Promise<void> {
    const key = `cluster-${process.pid}-${++serial}`;
    for (;;) {
      seen.calls++;
      const reply = await fetch(`${url}/api/wallet/withdraw`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-requested-with': 'wallet-user',
          authorization: `Bearer ${tokens[at % tokens.length]}`,
          'idempotency-key': key,
        },
        body: '{"amount":100}',
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      const text = await reply?.text().catch(() => null);
      if (reply?.status === 200 && text) {
        success();
        acknowledged.push(JSON.parse(text).id);
        return;
      }
      if (!reply || text === null || reply.status === 502) seen.broken++;
      else if (reply.status === 503) seen.unavailable++;
      else seen.failed.push(`${reply.status} ${text?.slice(0, 120)}`);
      await pause(AGAIN_MS);
    }
  }
  const work = Promise.all(
    Array.from({ length: inFlight }, async (_, at) => {
      while (running) await intent(at);
    }),
  );

  /** When each socket last received an event, in ms of the process. */
  const receivedAt = new Map<Socket, number>();
  const sockets = tokens.slice(0, inFlight).flatMap((token) =>
    Array.from({ length: SOCKETS_EACH }, (_, at) => {
      const socket = io(url, {
        transports: ['websocket'],
        auth: { token },
        reconnectionDelay: 500,
        forceNew: true,
      });
      receivedAt.set(socket, 0);
      socket.onAny(() => receivedAt.set(socket, performance.now()));
      // As the member app does: another server of the same address may take it.
      const again = () => !socket.active && running && setTimeout(() => socket.connect(), 500 + at);
      socket.on('connect_error', again);
      socket.on('disconnect', again);
      return socket;
    }),
  );
  return {
    acknowledged,
    begin() {
      lastAt = performance.now();
      seen = { gapMs: 0, calls: 0, unavailable: 0, broken: 0, failed: [] };
    },
    observed() {
      const { gapMs, ...rest } = seen;
      const openMs = performance.now() - lastAt;
      const recently = performance.now() - 5_000;
      return {
        ...rest,
        gapSeconds: Math.max(gapMs, openMs) / 1000,
        deaf: [...receivedAt.values()].filter((at) => at < recently).length,
      };
    },
    async stop() {
      running = false;
      await work;
      for (const socket of sockets) socket.close();
    },
  };
}
