import { content } from '@krapao/contract/operator';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal } from '../../platform/refusal.ts';
import { reorder } from '../../platform/reorder.ts';
import { inTransaction } from '../../platform/transaction.ts';
import { listBanks, listSources, lockChoices, orderBanks, orderSources, saveBank } from './choice-queries.ts';
import type { ContentDeps } from './operator.ts';
import { changeSource, isAsSeen, named } from './sources.ts';

function sourceCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(content.saveSource, async ({ params, body, actor, refuse }) => {
    const { reason, seen, ...source } = body;
    await inTransaction(deps.pool, async (tx) => {
      const change = await changeSource(tx, { code: params.code, ...source }, seen);
      if (!change) throw refuse('ROW_CHANGED');
      const subject = entityRef('source', params.code);
      const auditEntry = { action: 'source.change', subject, ...change };
      await writeAudit(tx, actor, { ...auditEntry, reason }, deps.clock.now());
    });
    return { message: 'OK' };
  });
  declare(content.orderSources, ({ body, actor, refuse }) =>
    reorder(refuse, deps, actor, body.codes, {
      audit: { action: 'choice.order', subject: entityRef('source', 'all') },
      lock: async (tx) => {
        await lockChoices(tx);
        return (await listSources(tx)).map((row) => row.code);
      },
      write: orderSources,
    }),
  );
}

function bankCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(content.saveBank, async ({ params, body, actor, refuse }) => {
    const { reason, local, en, color, isOpen, seen } = body;
    const { variant } = deps.config;
    const after = { local: named(local), en: named(en), color, isOpen };
    await inTransaction(deps.pool, async (tx) => {
      await lockChoices(tx);
      const before = (await listBanks(tx, variant)).find((row) => row.code === params.code);
      if (!isAsSeen(before, seen)) throw refuse('ROW_CHANGED');
      if (!(await saveBank(tx, variant, { code: params.code, ...after })))
        throw new Refusal('INVALID_REQUEST', { field: 'code' });
      const auditEntry = { action: 'bank.change', subject: entityRef('bank', params.code), before, after };
      await writeAudit(tx, actor, { ...auditEntry, reason }, deps.clock.now());
    });
    return { message: 'OK' };
  });
  declare(content.orderBanks, ({ body, actor, refuse }) =>
    reorder(refuse, deps, actor, body.codes, {
      audit: { action: 'choice.order', subject: entityRef('bank', 'all') },
      lock: async (tx) => {
        await lockChoices(tx);
        return (await listBanks(tx, deps.config.variant)).map((row) => row.code);
      },
      write: orderBanks,
    }),
  );
}

/** Answers the calls about what the registration form offers: sources, and banks of this installation's country. */
export function choiceCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(content.listChoices, async () => ({
    sources: await listSources(deps.pool),
    banks: await listBanks(deps.pool, deps.config.variant),
  }));
  sourceCalls(declare, deps);
  bankCalls(declare, deps);
}
