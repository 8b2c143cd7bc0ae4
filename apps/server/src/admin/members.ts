import type { MemberStatus } from '@krapao/contract/shared';
import {
  listByPhoneOrId,
  listOpenItems,
  lockMember,
  type MeantMember,
  writeStatus,
} from '../features/members/read.ts';
import { entityRef } from '../platform/entity-ref.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, amountText, audit, type Command, CommandError, command } from './command.ts';

/** The only member with this phone or id. Throws where there is none, or where the text means two. */
export async function findMember(deps: AdminDeps, phoneOrId: string): Promise<MeantMember> {
  const [member, other] = await listByPhoneOrId(deps.pool, [phoneOrId], deps.config.variant);
  if (other)
    throw new CommandError(
      `${phoneOrId} means members ${member!.id} and ${other.id}: write phone or id of one only.`,
    );
  if (!member) throw new CommandError(`There is no member ${phoneOrId}.`);
  return member;
}

async function setStatus(
  deps: AdminDeps,
  [phoneOrId, reason]: [string, string],
  status: MemberStatus,
): Promise<string[]> {
  const member = await findMember(deps, phoneOrId);
  await inTransaction(deps.pool, async (tx) => {
    const row = await lockMember(tx, String(member.id));
    if (row?.status === 'CLOSED') throw new CommandError(`Member ${member.id} is closed for good.`);
    const open = status === 'CLOSED' ? await listOpenItems(tx, member.id) : [];
    if (open.length > 0)
      throw new CommandError(
        `Member ${member.id} is not closed while something is open: ${open.join(', ')}.`,
      );
    await writeStatus(tx, member.id, status);
    await audit(tx, deps, {
      action: 'member.status',
      subject: entityRef('member', member.id),
      before: { status: row?.status },
      after: { status },
      reason,
    });
  });
  return [`Member ${member.id} (${member.phone}) is ${status}.`];
}

export const commands: Record<string, Command> = {
  'member show': command({
    usage: '<phone or id>',
    about: 'one member with balance and coins',
    async run(deps, [phoneOrId]) {
      const member = await findMember(deps, phoneOrId);
      const result = await deps.pool.query(
        'select a.kind, s.code as asset, a.balance from ledger_account a join ledger_asset s on s.id = a.asset where a.member_id = $1 order by a.id',
        [member.id],
      );
      return [
        `${member.id}  ${member.phone}  ${member.name}  ${member.status}  ${member.currency}`,
        ...result.rows.map((row) => `  ${row.kind}: ${amountText(row.balance, row.asset)}`),
      ];
    },
  }),
  'member suspend': command({
    usage: '<phone or id> <reason>',
    about: 'refuse the member at login and on every call',
    run: (deps, given) => setStatus(deps, given, 'SUSPENDED'),
  }),
  'member activate': command({
    usage: '<phone or id> <reason>',
    about: 'let a suspended member in again',
    run: (deps, given) => setStatus(deps, given, 'ACTIVE'),
  }),
  'member close': command({
    usage: '<phone or id> <reason>',
    about: 'close an account for good; its games are not read, the console reads them',
    run: (deps, given) => setStatus(deps, given, 'CLOSED'),
  }),
};
