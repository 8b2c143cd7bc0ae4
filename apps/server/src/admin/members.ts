import { type Currency, type MemberStatus, normalisePhone } from '@krapao/contract/shared';
import { inTransaction } from '../platform/transaction.ts';
import { type AdminDeps, audit, type Command, CommandError, need } from './command.ts';

export interface MemberRow {
  id: bigint;
  phone: string;
  name: string;
  status: string;
  currency: Currency;
  wallet_account: bigint;
  coin_account: bigint;
}

/** The member with this phone or id. */
export async function findMember(deps: AdminDeps, phoneOrId: string): Promise<MemberRow> {
  const phone = normalisePhone(phoneOrId, deps.config.variant) ?? phoneOrId;
  const result = await deps.pool.query<MemberRow>(
    'select id, phone, name, status, currency, wallet_account, coin_account from member where phone = $1 or id::text = $2',
    [phone, phoneOrId],
  );
  const member = result.rows[0];
  if (!member) throw new CommandError(`There is no member ${phoneOrId}.`);
  return member;
}

async function setStatus(deps: AdminDeps, words: string[], status: MemberStatus): Promise<string[]> {
  const member = await findMember(deps, need(words, 0, 'The phone or id'));
  const reason = need(words, 1, 'The reason');
  if (member.status === 'CLOSED') throw new CommandError(`Member ${member.id} is closed for good.`);
  await inTransaction(deps.pool, async (tx) => {
    await tx.query('update member set status = $2 where id = $1', [member.id, status]);
    await audit(tx, deps, {
      action: 'member.status',
      thing: `member:${member.id}`,
      before: { status: member.status },
      after: { status },
      reason,
    });
  });
  return [`Member ${member.id} (${member.phone}) is ${status}.`];
}

export const commands: Record<string, Command> = {
  'member show': {
    usage: '<phone or id>',
    about: 'one member with balance and coins',
    async run(deps, words) {
      const member = await findMember(deps, need(words, 0, 'The phone or id'));
      const result = await deps.pool.query<{ kind: string; balance: bigint }>(
        'select kind, balance from ledger_account where member_id = $1 order by id',
        [member.id],
      );
      return [
        `${member.id}  ${member.phone}  ${member.name}  ${member.status}  ${member.currency}`,
        ...result.rows.map((row) => `  ${row.kind}: ${row.balance} minor units`),
      ];
    },
  },
  'member suspend': {
    usage: '<phone or id> <reason>',
    about: 'refuse the member at login and on every call',
    run: (deps, words) => setStatus(deps, words, 'SUSPENDED'),
  },
  'member activate': {
    usage: '<phone or id> <reason>',
    about: 'let a suspended member in again',
    run: (deps, words) => setStatus(deps, words, 'ACTIVE'),
  },
  'member close': {
    usage: '<phone or id> <reason>',
    about: 'close an account for good',
    run: (deps, words) => setStatus(deps, words, 'CLOSED'),
  },
};
