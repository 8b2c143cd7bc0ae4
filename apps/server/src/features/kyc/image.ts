import type { FastifyInstance } from 'fastify';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { Files } from '../../platform/files.ts';
import type { OperatorDoor } from '../../platform/http/declare-operator.ts';
import { refuseAny } from '../../platform/refuse-any.ts';
import type { KycOperatorDeps } from './operator.ts';
import { findDocument } from './queries.ts';

/**
 * GET /api/operator/kyc/documents/{id}/image: the picture of a document, as it was drawn again. The audit trail names
 * everyone who opened it.
 */
export function kycImageRoute(
  app: FastifyInstance,
  deps: KycOperatorDeps & { files: Files },
  door: OperatorDoor,
): void {
  app.get(
    '/api/operator/kyc/documents/:id/image',
    { schema: { hide: true } as never },
    async (request, reply) => {
      const operator = (await door(request, 'operator', 'member.kyc'))!;
      const { id } = request.params as { id: string };
      const document = /^\d{1,18}$/.test(id) ? await findDocument(deps.pool, BigInt(id)) : undefined;
      const jpeg = document && (await deps.files.read(document.file));
      if (!jpeg) throw refuseAny('NO_DATA');
      const entry = { action: 'kyc.open', subject: entityRef('member', document.member_id) };
      const actor = { ...operator, address: request.ip };
      await writeAudit(deps.pool, actor, { ...entry, after: { document: document.kind } }, deps.clock.now());
      return reply.type('image/jpeg').header('cache-control', 'no-store').send(jpeg);
    },
  );
}
