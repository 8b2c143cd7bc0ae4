import { createAdapter } from '@socket.io/redis-streams-adapter';
import type { Redis } from '../redis.ts';

/** The adapter reads from its stream for this long at a time, and notices in between that it was closed. */
const READ_MS = 1_000;

/**
 * The socket.io adapter on Redis. It is given a client that never fails: what cannot be published is lost, and while
 * Redis is away this server counts as the only one.
 * @param onMissed called when messages of other servers may have been missed
 */
export function redisAdapter(redis: Redis, onMissed: () => void): ReturnType<typeof createAdapter> {
  const publish = async (channel: string, payload: Buffer) => {
    await redis.attempt((client) => client.publish(channel, payload));
  };
  const client = {
    // By this the adapter tells clients of this library from others.
    sSubscribe: () => undefined,
    publish,
    async xAdd(...args: Parameters<ReturnType<Redis['duplicate']>['xAdd']>) {
      return (await redis.attempt((one) => one.xAdd(...args))) ?? '';
    },
    /** The adapter queries the number of servers, also for sockets of this one. */
    async sendCommand(args: string[]) {
      return (await redis.attempt((one) => one.sendCommand(args))) ?? ['', '1'];
    },
    duplicate() {
      const copy = redis.duplicate();
      let readyTimes = 0;
      copy.on('ready', () => {
        if (readyTimes++ > 0 && copy.isPubSubActive) onMissed();
      });
      return copy;
    },
  };
  return createAdapter(client, {
    streamName: redis.name('live'),
    channelPrefix: redis.name('live'),
    blockTimeInMs: READ_MS,
  });
}
