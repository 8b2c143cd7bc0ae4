import { content } from '@krapao/contract/operator';
import { writeAudit } from '../../platform/audit.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import { plainText } from '../../platform/html.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { Refusal } from '../../platform/refusal.ts';
import { reorder } from '../../platform/reorder.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  listBanks,
  listSources,
  lockChoices,
  orderBanks,
  orderSources,
  saveBank,
  saveSource,
} from './choice-queries.ts';
import type { ContentDeps } from './operator.ts';

const named = (text: string): string => {
  const plain = plainText(text).trim();
  if (plain === '') throw new Refusal('INVALID_REQUEST');
  return plain;
};

/** Whether a row is what the caller has seen: none for null; whatever it is where the caller does not say. */
const isAsSeen = (row: object | undefined, seen: object | null | undefined): boolean =>
  seen === undefined ||
  (seen === null
    ? row === undefined
    : row !== undefined &&
      Object.entries(seen).every(([name, value]) => (row as Record<string, unknown>)[name] === value));

function sourceCalls(declare: OperatorDeclare, deps: ContentDeps): void {
  declare(content.saveSource, async ({ params, body, actor, refuse }) => {
    const { reason, isOpen, th, la, en, seen } = body;
    const after = { th: named(th), la: named(la), en: named(en), isOpen };
    await inTransaction(deps.pool, async (tx) => {
      await lockChoices(tx);
      const before = (await listSources(tx)).find((row) => row.code === params.code);
      if (!isAsSeen(before, seen)) throw refuse('ROW_CHANGED');
      await saveSource(tx, { code: params.code, ...after });
      const auditEntry = {
        action: 'source.change',
        subject: entityRef('source', params.code),
        before,
        after,
      };
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
