import { VIEW_PAGES_READ, views } from '@krapao/contract/operator';
import { writeAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Pool } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { newId } from '../../platform/ids.ts';
import { lockList } from '../../platform/list-lock.ts';
import type { Operator } from '../../platform/operators.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  countViews,
  holdView,
  listColumns,
  listViews,
  removeView,
  saveView,
  VIEWS_MAX,
  writeColumns,
  writeDefaultView,
  writePageSize,
} from './queries.ts';

type PageName = keyof typeof VIEW_PAGES_READ;
/** What names one row or page and so belongs to no view. */
const PASSING = ['open', 'page'];

const mayRead = (operator: Operator, pageName: PageName): boolean =>
  operator.permissions.has(VIEW_PAGES_READ[pageName]);

function requirePage(refuse: Refuse<'UNAUTHORIZED'>, operator: Operator, pageName: PageName): void {
  if (!mayRead(operator, pageName)) throw refuse('UNAUTHORIZED');
}

/** An address in its stored form: filters only, normalised. */
function plainAddress(text: string): string {
  const params = new URLSearchParams(text);
  for (const name of PASSING) params.delete(name);
  return params.toString();
}

/** A view in the audit trail, where `address` is the network address of an action. */
const auditFields = ({ address: filters, ...view }: { address: string; [field: string]: unknown }) => ({
  ...view,
  filters,
});

/** Answers what operators keep of pages' lists: saved views and chosen columns. */
export function viewCalls(declare: OperatorDeclare, deps: { pool: Pool; clock: Clock }): void {
  const { pool, clock } = deps;
  declare(views.listViews, async ({ operator }) => {
    const pageNames = (Object.keys(VIEW_PAGES_READ) as PageName[]).filter((pageName) =>
      mayRead(operator, pageName),
    );
    const { id, role } = operator;
    const [rows, columns] = await Promise.all([
      listViews(pool, { id, role, pageNames }),
      listColumns(pool, operator.id),
    ]);
    return {
      views: rows.map(({ operator_id: owner, ...row }) => ({
        ...row,
        pageName: row.pageName as PageName,
        mine: owner === id,
      })),
      columns: columns.map((row) => ({ ...row, pageName: row.pageName as PageName })),
    };
  });
  declare(views.saveView, ({ body, operator, actor, refuse }) => {
    requirePage(refuse, operator, body.pageName);
    const view = { ...body, name: body.name.trim() || body.name, address: plainAddress(body.address) };
    return inTransaction(pool, async (tx) => {
      const now = clock.now();
      const role = body.audience === 'role' ? operator.role : null;
      await lockList(tx, `views of ${operator.id}`);
      const { others, isThere } = await countViews(tx, { operatorId: operator.id, ...view });
      if (!isThere && others >= VIEWS_MAX) throw refuse('LIST_FULL', { max: VIEWS_MAX });
      const id = await saveView(tx, { ...view, id: newId('VW', now), operatorId: operator.id, role, now });
      await writeAudit(
        tx,
        actor,
        { action: 'view.save', subject: entityRef('view', id), after: auditFields(view) },
        now,
      );
      return { id };
    });
  });
  declare(views.removeView, ({ params, operator, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const before = await removeView(tx, params.id, operator.id);
      if (!before) throw refuse('NO_DATA');
      const auditEntry = {
        action: 'view.remove',
        subject: entityRef('view', params.id),
        before: auditFields(before),
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { message: 'OK' };
    }),
  );
  declareChoices(declare, deps);
}

/** Answers what an operator chooses for a page from now on. */
function declareChoices(declare: OperatorDeclare, { pool, clock }: { pool: Pool; clock: Clock }): void {
  declare(views.chooseColumns, ({ body, operator, actor, refuse }) => {
    requirePage(refuse, operator, body.pageName);
    return inTransaction(pool, async (tx) => {
      await writeColumns(tx, operator.id, body);
      const auditEntry = {
        action: 'view.columns',
        subject: entityRef('room', body.pageName),
        after: { shown: body.shown },
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { message: 'OK' };
    });
  });
  declare(views.choosePageSize, ({ body, operator, actor, refuse }) => {
    requirePage(refuse, operator, body.pageName);
    return inTransaction(pool, async (tx) => {
      await writePageSize(tx, operator.id, body);
      const auditEntry = {
        action: 'view.pageSize',
        subject: entityRef('room', body.pageName),
        after: { size: body.size },
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { message: 'OK' };
    });
  });
  declare(views.chooseDefaultView, ({ body, operator, actor, refuse }) => {
    requirePage(refuse, operator, body.pageName);
    const { pageName, id } = body;
    return inTransaction(pool, async (tx) => {
      const name = id && (await holdView(tx, { id, pageName }, operator));
      if (name === undefined) throw refuse('NO_DATA');
      await writeDefaultView(tx, operator.id, body);
      const auditEntry = {
        action: 'view.default',
        subject: entityRef('room', pageName),
        after: { view: id, name },
      };
      await writeAudit(tx, actor, auditEntry, clock.now());
      return { message: 'OK' };
    });
  });
}
