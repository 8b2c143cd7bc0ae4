import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Closed, EntryStatus, Page, StatementType, Timestamp } from './schemas.ts';

const Reference = Type.Optional(Closed({ description: Type.String() }));

export const StatementItem = Closed(
  {
    id: Type.String(),
    statementType: StatementType,
    status: EntryStatus,
    from: Type.String(),
    to: Type.String(),
    amount: Amount,
    createdAt: Timestamp,
    bonus: Reference,
    promotion: Reference,
    invite: Reference,
    refund: Reference,
    luckydraw: Reference,
  },
  { $id: 'StatementItem' },
);

export const listStatements = call({
  method: 'POST',
  path: '/api/statement',
  access: 'member',
  summary: 'The statement, newest first',
  body: Page,
  reply: Closed({ statements: Type.Array(StatementItem), total: Type.Integer() }),
});
