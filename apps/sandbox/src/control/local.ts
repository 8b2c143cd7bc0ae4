/** Who may steer the sandbox: programs and pages on this machine. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether an address is this machine's own. */
export const isLoopback = (address = ''): boolean =>
  /^(::ffff:)?127\./.test(address) || address === '::1' || address === 'localhost' || address === '[::1]';

/** Refuses callers from other machines, and pages of other sites that reach for this one. */
export async function onlyLocal(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!isLoopback(request.socket.remoteAddress)) return reply.code(403).send({ error: 'LOCAL_ONLY' });
  const site = request.headers['sec-fetch-site'];
  const fromElsewhere =
    request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
  return fromElsewhere ? reply.code(403).send({ error: 'CROSS_SITE' }) : undefined;
}
