import { ROLES } from '@krapao/contract/operator';
import { PRIZE_KINDS } from '@krapao/contract/prizes';
import {
  CURRENCIES,
  DIFFERENCE_KINDS,
  INVITE_BAR_REASONS,
  INVITE_SHARE_STATES,
  KYC_DOCUMENTS,
  KYC_STATES,
  LANGUAGES,
  MEMBER_STATUSES,
  OPERATOR_STATUSES,
  RUN_KINDS,
  RUN_STATES,
  SLIP_STATUSES,
  STATEMENT_STATUSES,
  WITHDRAWAL_STATUSES,
} from '@krapao/contract/shared';
import { beforeAll, expect, test } from 'vitest';
import { openBooks } from '../ledger/testing.ts';
import { ROLES as GRANTED } from './testing-roles.ts';

const books = await openBooks();

/** The texts that a CHECK allows in a column, by "table.column". */
const allowed = new Map<string, string[]>();
beforeAll(async () => {
  const { rows } = await books.app.query(
    `select c.conrelid::regclass || '.' || a.attname as at, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'c' and cardinality(c.conkey) = 1 and c.connamespace = 'public'::regnamespace`,
  );
  for (const { at, definition } of rows)
    if (/^CHECK \(\(\w+ = ANY \(ARRAY\[/.test(definition))
      allowed.set(at, [...definition.matchAll(/'([^']*)'::text/g)].map(([, text]) => text!).toSorted());
});

test.each([
  ['bonus_run.kind', RUN_KINDS],
  ['bonus_run.state', RUN_STATES],
  ['invite_credit.reason', INVITE_BAR_REASONS],
  ['invite_credit.state', INVITE_SHARE_STATES],
  ['kyc_check.state', KYC_STATES],
  ['kyc_document.kind', KYC_DOCUMENTS],
  ['member.status', MEMBER_STATUSES],
  ['operator.status', OPERATOR_STATUSES],
  ['prize.kind', PRIZE_KINDS],
  ['reconciliation_difference.kind', DIFFERENCE_KINDS],
  ['slip.status', SLIP_STATUSES],
  ['statement.status', STATEMENT_STATUSES],
  ['withdrawal.status', WITHDRAWAL_STATUSES],
])('%s takes what the contract lists, and nothing else', (at, constants) => {
  expect(allowed.get(at)).toEqual(constants.toSorted());
});

test.each([
  ['currency', CURRENCIES],
  ['language', LANGUAGES],
])('every column named %s takes what the contract lists', (column, constants) => {
  const found = [...allowed].filter(([at]) => at.endsWith(`.${column}`));
  expect(found.length).toBeGreaterThan(2);
  for (const [at, texts] of found) expect([at, texts]).toEqual([at, constants.toSorted()]);
});

test('a new installation has the roles that the contract lists, each with its permissions', async () => {
  const { rows } = await books.app.query('select code, permissions from operator_role');
  expect(rows.map(({ code }) => code).toSorted()).toEqual(ROLES.toSorted());
  for (const { code, permissions } of rows)
    expect([code, permissions.toSorted()]).toEqual([code, GRANTED[code]?.toSorted()]);
});
