import { io, type Socket } from 'socket.io-client';
import { pause } from '../server.ts';

/** What was seen of the load since a moment. */
export interface Observed {
  /** The longest time without a money call that succeeded, in s. */
  gapSeconds: number;
  calls: number;
  /** Calls answered 503, whose sender tries again. */
  unavailable: number;
  /** Calls whose connection broke or was refused, as when a server is killed. */
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

/** Starts `inFlight` members over the servers; a call that is not answered goes to the next server under the same key. */
export function startLoad(urls: readonly string[], tokens: readonly string[], inFlight: number): Load {
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
    for (let attempt = 0; ; attempt++) {
      seen.calls++;
      const reply = await fetch(`${urls[(at + attempt) % urls.length]}/api/wallet/withdraw`, {
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
      if (!reply || text === null) seen.broken++;
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
  const sockets = urls.flatMap((url, server) =>
    tokens.slice(0, inFlight).map((token) => {
      const socket = io(url, {
        transports: ['websocket'],
        auth: { token },
        reconnectionDelay: 500,
        forceNew: true,
      });
      receivedAt.set(socket, 0);
      socket.onAny(() => receivedAt.set(socket, performance.now()));
      // As the member app does, which another server of the same address would answer.
      const again = () => !socket.active && running && setTimeout(() => socket.connect(), 500 + server);
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
