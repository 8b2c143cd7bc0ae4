/** Exports of lists for spreadsheets: all rows of the filter, in the requested order. */
import { type TObject, type TProperties, Type } from 'typebox';
import { LanguageCode } from '../shared/schemas.ts';
import { codesOfBatch, listRuns } from './bonuses.ts';
import { operatorCall } from './call.ts';
import { listCoupons } from './coupons.ts';
import {
  readAgents,
  readCash,
  readChannels,
  readCosts,
  readGames,
  readHours,
  readLiabilities,
  readRetention,
  readSources,
  readWaiting,
} from './figures.ts';
import { listInvites } from './invites.ts';
import { listMembers } from './members.ts';
import { listDeposits, listTransfers, listUnmatched } from './money.ts';
import { listApprovals, listAudit } from './overview.ts';
import type { Permission } from './permissions.ts';
import { listDifferences } from './reconciliation.ts';
import { listRefunds } from './refunds.ts';
import { listAmbiguousMatches, listReports } from './reports.ts';
import { Closed, OneOf } from './schemas.ts';
import { listSlips } from './slips.ts';
import { listWithdrawals } from './withdrawals.ts';

/** The content of each format: RFC 4180 for CSV, ECMA-376 for XLSX. */
export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The filters and order of a list, without its pages, and the language of a workbook's headings. */
const filtersOf = <P extends TProperties>(query: TObject<P>) =>
  Closed({
    ...Type.Omit(query, ['limit', 'cursor', 'countAll']).properties,
    language: Type.Optional(LanguageCode),
  });

/** The list's rows as a file, streamed; leaves an audit row with the filters before the first byte. */
const fileOf = <const Path extends string, P extends TProperties>(
  path: Path,
  list: { permission: Permission | null; query: TObject<P> },
) =>
  operatorCall({
    method: 'GET',
    path,
    permission: 'export.read',
    alsoNeeds: list.permission,
    summary: 'The list as a file, all that fits the filter; leaves an audit row',
    params: Closed({ format: OneOf(['csv', 'xlsx'] as const) }),
    query: filtersOf(list.query),
    reply: Type.String(),
    files: Object.values(EXPORT_TYPES),
  });

export const exportWithdrawals = fileOf('/api/operator/export/withdrawals.{format}', listWithdrawals);
export const exportDeposits = fileOf('/api/operator/export/deposits.{format}', listDeposits);
export const exportUnmatched = fileOf('/api/operator/export/unmatched.{format}', listUnmatched);
export const exportReports = fileOf('/api/operator/export/reports.{format}', listReports);
export const exportAmbiguousMatches = fileOf('/api/operator/export/doubts.{format}', listAmbiguousMatches);
export const exportDifferences = fileOf('/api/operator/export/differences.{format}', listDifferences);
export const exportSlips = fileOf('/api/operator/export/slips.{format}', listSlips);
export const exportTransfers = fileOf('/api/operator/export/transfers.{format}', listTransfers);
export const exportMembers = fileOf('/api/operator/export/members.{format}', listMembers);
export const exportApprovals = fileOf('/api/operator/export/approvals.{format}', listApprovals);
export const exportAudit = fileOf('/api/operator/export/audit.{format}', listAudit);
export const exportCash = fileOf('/api/operator/export/cash.{format}', readCash);
export const exportChannels = fileOf('/api/operator/export/channels.{format}', readChannels);
export const exportHours = fileOf('/api/operator/export/hours.{format}', readHours);
export const exportLiabilities = fileOf('/api/operator/export/liabilities.{format}', readLiabilities);
export const exportWaiting = fileOf('/api/operator/export/waiting.{format}', readWaiting);
export const exportGames = fileOf('/api/operator/export/games.{format}', readGames);
export const exportSources = fileOf('/api/operator/export/sources.{format}', readSources);
export const exportRetention = fileOf('/api/operator/export/retention.{format}', readRetention);
export const exportCosts = fileOf('/api/operator/export/costs.{format}', readCosts);
export const exportAgents = fileOf('/api/operator/export/agents.{format}', readAgents);
export const exportCoupons = fileOf('/api/operator/export/coupons.{format}', listCoupons);
export const exportRuns = fileOf('/api/operator/export/runs.{format}', listRuns);
export const exportInvites = fileOf('/api/operator/export/invites.{format}', listInvites);
export const exportRefunds = fileOf('/api/operator/export/refunds.{format}', listRefunds);
export const exportCodes = fileOf('/api/operator/export/codes.{format}', codesOfBatch);
