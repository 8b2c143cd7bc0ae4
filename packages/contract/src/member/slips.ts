import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { refusedAs } from '../shared/schemas.ts';
import {
  Amount,
  Closed,
  EntryStatus,
  Nullable,
  Page,
  Receipt,
  StatementId,
  Text,
  Timestamp,
} from './schemas.ts';

/** A receipt with the reference that opens the slip's picture. */
export const SlipReceipt = Closed(
  { ...Receipt.properties, reference: Type.String(), statementId: StatementId },
  { $id: 'SlipReceipt' },
);

export const SlipItem = Closed(
  {
    id: Type.Optional(Type.String({ description: 'What support looks a slip up by.' })),
    createdAt: Timestamp,
    amount: Nullable(Amount),
    currency: Type.Optional(
      Type.Union([Type.Literal('BAHT'), Type.Literal('LAK')], {
        description: "Of the amount, where it is not the member's.",
      }),
    ),
    status: EntryStatus,
    note: Nullable(Type.String({ description: 'A slip reason code; null while nothing is wrong.' })),
    link: Type.String({ description: 'Opens the picture without a header; valid for an hour.' }),
    reference: Type.String(),
    statementId: StatementId,
  },
  { $id: 'SlipItem' },
);

/**
 * multipart/form-data with `file` (JPG, PNG or WebP, 10 MB) and optionally `bankCode`. A slip that was read answers
 * 200 whatever the verdict: SUCCESS credited, FAILED with the reason as message, PENDING or REVIEW in progress. Limits
 * and exclusions of the member do not refuse it, because the payment has been made.
 */
export const uploadSlip = call({
  method: 'POST',
  path: '/api/wallet/slip',
  access: 'member',
  summary: 'Hand in the picture of a transfer slip',
  idempotent: true,
  multipart: {
    file: { description: 'JPG, PNG or WebP, at most 10 MB.', isFile: true },
    bankCode: { description: 'The bank the member chose.' },
  },
  reply: SlipReceipt,
  refusals: ['SLIP_UPLOAD_FAIL', 'SLIP_NO_FILE', 'SLIP_INVALID_FILE', 'REQUEST_LIMIT'],
});

export const listSlips = call({
  method: 'POST',
  path: '/api/statement/slip',
  access: 'member',
  summary: 'Slips handed in, newest first',
  body: Page,
  reply: Closed({ slips: Type.Array(SlipItem), total: Type.Integer() }),
});

export const readSlip = call({
  method: 'GET',
  path: '/api/statement/slip/reference/{reference}',
  access: 'member',
  summary: "A fresh link to a slip's picture",
  params: Closed({ reference: Text(64) }),
  reply: Closed({ url: Type.String({ description: 'Opens without a header; valid for an hour.' }) }),
  refusals: ['NO_DATA'],
});

/** Reports a payment that has not arrived. Credits nothing: an operator decides. One pending report at a time. */
export const reportPayment = call({
  method: 'POST',
  path: '/api/wallet/add',
  access: 'member',
  summary: 'Report a payment that operators look for',
  idempotent: true,
  body: Closed({ amount: Type.Number(refusedAs('TRANSFER_MINIMUM')) }),
  reply: Receipt,
  refusals: ['NO_BANK', 'TRANSFER_MINIMUM', 'REQUEST_LIMIT'],
});
