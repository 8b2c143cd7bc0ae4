/** The control call that makes slips, whole or spoilt in one respect, with the transfers they need. */
import { minorToDecimal } from '@krapao/contract/shared';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { iso } from '../environment/clock.ts';
import type { Environment } from '../environment/environment.ts';
import { drawSlip } from '../slips/picture.ts';
import { slipOf } from '../slips/slips.ts';
import { payerKey } from './action-routes.ts';
import { minorOf } from './amounts.ts';
import * as S from './schemas.ts';

const DEFAULT_MINOR = 10_000n;

/** Registers POST /slip: `image` is base64. */
export function slipRoutes(app: FastifyInstance, environment: Environment): void {
  app.post<{ Body: Static<typeof S.SlipBody> }>(
    '/slip',
    { schema: { body: S.SlipBody } },
    async (request, reply) => {
      const { kind = 'good', transRef, toBank, toAccount, amount, format = 'png' } = request.body;
      const fromKey = payerKey(environment, request.body);
      if (!fromKey) return reply.code(400).send({ error: 'UNKNOWN_ACCOUNT' });
      const amountMinor = minorOf(amount) ?? DEFAULT_MINOR;
      const slip = slipOf(environment, kind, { transRef, fromKey, toBank, toAccount, amountMinor });
      if (typeof slip === 'string') return reply.code(409).send({ error: slip });
      return {
        kind,
        transRef: slip.line.transRef,
        payload: slip.payload,
        amount: minorToDecimal(slip.amountMinor, 2),
        at: iso(slip.line.atMs),
        type: `image/${format}`,
        image: (await drawSlip(slip, format)).toString('base64'),
      };
    },
  );
}
