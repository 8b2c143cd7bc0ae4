import { chat as contract } from '@krapao/contract/operator';
import { TAGS_MAX } from '@krapao/contract/shared';
import { type Actor, actorName, writeAudit } from '../../platform/audit.ts';
import type { PoolClient } from '../../platform/database/db.ts';
import { entityRef } from '../../platform/entity-ref.ts';
import type { OperatorDeclare } from '../../platform/http/declare-operator.ts';
import { lockList } from '../../platform/list-lock.ts';
import type { Refuse } from '../../platform/refusal.ts';
import { inTransaction } from '../../platform/transaction.ts';
import {
  countMacros,
  findMacro,
  hold,
  listMacros,
  MACROS_MAX,
  type MacroRow,
  removeMacro,
  saveMacro,
} from './macro-queries.ts';
import { checkMessage } from './messages.ts';
import { type ChatOperatorDeps, change, end } from './operator.ts';
import { assign, type LockedConversation, tag } from './operator-queries.ts';
import { say } from './queries.ts';

const view = ({ is_taken: isTaken, ...macro }: MacroRow) => ({ id: macro.name, isTaken, ...macro });

/**
 * Sends the text, adds the tags, assigns, and then holds or ends a locked conversation; one that has ended stays as it
 * is. False for the repeat of a macro with a text, which changes nothing: all of it was done with the message.
 */
async function run(
  refuse: Refuse<'ROW_CHANGED'>,
  deps: ChatOperatorDeps,
  tx: PoolClient,
  macro: MacroRow,
  target: { chat: LockedConversation; conversationId: bigint; actor: Actor; key: string },
): Promise<boolean> {
  const { chat, conversationId, actor } = target;
  const now = deps.clock.now();
  if (macro.text !== '') {
    const deliver = { id: target.key };
    const checked = checkMessage({ message_type: 'text', payload: { message: macro.text }, deliver });
    const content = { conversationId, sender: 'agent' as const, operatorId: actor.id, ...checked };
    const { is_new: isNew } = await say(tx, content, now, deps.settings.get('chat.idleMinutes'));
    if (!isNew) return false;
  }
  const added = macro.tags.filter((one) => !chat.tags.includes(one));
  // Those that are there stay, also above the maximum, which a merge may exceed.
  const free = Math.max(0, TAGS_MAX - chat.tags.length);
  if (added.length > 0) await tag(tx, conversationId, [...chat.tags, ...added.slice(0, free)]);
  if (macro.is_taken) await assign(tx, conversationId, actor.id);
  // A message opens a conversation again.
  const isOpen = chat.state === 'OPEN' || macro.text !== '';
  if (isOpen && macro.ending === 'HOLD') await hold(tx, conversationId, true, now);
  if (isOpen && macro.ending === 'END') await end(refuse, deps, tx, conversationId, actor.id);
  return true;
}

function keepCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  const { pool, clock } = deps;
  declare(contract.listMacros, async () => ({ macros: (await listMacros(pool)).map(view) }));
  declare(contract.saveMacro, ({ params: { name }, body, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const now = clock.now();
      const { isTaken, ...fields } = body;
      await lockList(tx, 'macros');
      const before = await findMacro(tx, name);
      if (!before && (await countMacros(tx)) >= MACROS_MAX) throw refuse('LIST_FULL', { max: MACROS_MAX });
      await saveMacro(tx, { name, ...fields, is_taken: isTaken, by: actorName(actor), now });
      const trail = { action: 'chat.macro.save', subject: entityRef('macro', name), after: body };
      await writeAudit(tx, actor, { ...trail, ...(before && { before: view(before) }) }, now);
      return { message: 'OK' };
    }),
  );
  declare(contract.removeMacro, ({ params: { name }, actor, refuse }) =>
    inTransaction(pool, async (tx) => {
      const before = await removeMacro(tx, name);
      if (!before) throw refuse('NO_DATA');
      const trail = { action: 'chat.macro.remove', subject: entityRef('macro', name), before: view(before) };
      await writeAudit(tx, actor, trail, clock.now());
      return { message: 'OK' };
    }),
  );
}

/** Serves macros: named sets of actions on a conversation, run in one call. */
export function macroCalls(declare: OperatorDeclare, deps: ChatOperatorDeps): void {
  keepCalls(declare, deps);
  declare(contract.runMacro, async ({ params, body, actor, operator, refuse }) => {
    const macro = await findMacro(deps.pool, params.name);
    if (!macro) throw refuse('NO_DATA');
    const trail = { id: params.id, action: 'macro' };
    return change(refuse, deps, actor, trail, async (tx, chat, conversationId) => {
      // Another agent has it: as with a response, the caller takes it over first.
      if (chat.assignee && chat.assignee !== operator.id) throw refuse('CLAIMED');
      const isDone = await run(refuse, deps, tx, macro, { chat, conversationId, actor, key: body.key });
      return isDone ? { after: { macro: macro.name } } : null;
    });
  });
}
