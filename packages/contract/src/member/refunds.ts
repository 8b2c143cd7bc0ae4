import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Closed, Nullable, Page, StatementId, Timestamp } from './schemas.ts';

const RefundInfo = Closed(
  {
    from: Timestamp,
    to: Timestamp,
    deposits: Type.Number({ description: 'What was paid in; bonuses do not count.' }),
    withdrawals: Type.Number({ description: 'What was taken out or is on its way out.' }),
    opening: Type.Number({ description: 'Everything the member had when the period began.' }),
    balance: Type.Number({
      description: 'Everything they have now: wallet, games, open bets, transfers on the way.',
    }),
    loss: Type.Number({ description: 'deposits + opening − withdrawals − balance, at least 0.' }),
    percent: Type.Integer({ description: 'How much of the loss comes back.' }),
    receivable: Amount,
    received: Type.Number({ description: 'Received and not yet added to the wallet.' }),
  },
  { $id: 'RefundInfo' },
);

const Refund = Closed(
  {
    refundAmount: Amount,
    createdAt: Timestamp,
    from: Timestamp,
    loss: Amount,
    percent: Type.Integer(),
  },
  { $id: 'Refund' },
);

export const checkRefund = call({
  method: 'GET',
  path: '/api/refund/check',
  access: 'member',
  summary: 'What has been lost since the last refund, by games read just now, and what of it comes back',
  reply: Closed(
    {
      result: Type.Boolean({ description: 'Receiving would work now.' }),
      bonus: Type.Boolean({ description: 'A run is under way.' }),
      info: RefundInfo,
      refundAmount: Type.Number({ description: 'receivable and received together.' }),
      refundSuccess: Type.Integer(),
      refundFail: Type.Integer(),
      reason: Nullable(
        Type.Union(
          [
            Type.Literal('INACTIVE'),
            Type.Literal('RUN'),
            Type.Literal('SILENT'),
            Type.Literal('OPEN'),
            Type.Literal('BALANCE'),
            Type.Literal('DAY'),
            Type.Literal('NOTHING'),
          ],
          {
            description:
              'Why receiving would not work: the list of bonuses is off, a run is under way, a game is silent, a bet, withdrawal or transfer is open, there is too much left, it was received today, nothing was lost.',
          },
        ),
      ),
      most: Nullable(Type.Number({ description: 'For BALANCE: the most that may be left.' })),
    },
    { $id: 'RefundCheck' },
  ),
});

export const receiveRefund = call({
  method: 'GET',
  path: '/api/refund/receive',
  access: 'member',
  summary:
    'Close the period and put its refund into the refund balance. REFUND_CONDITION tells the reason: RUN, OPEN, BALANCE or DAY',
  sideEffect: true,
  reply: Closed({ message: Type.Literal('REFUND_SUCCESS'), amount: Amount }),
  refusals: ['REFUND_INACTIVE', 'REFUND_CONDITION', 'PROVIDER_UNAVAILABLE', 'REFUND_MINIMUM'],
});

export const addRefundToWallet = call({
  method: 'GET',
  path: '/api/refund/addWallet',
  access: 'member',
  summary: 'Move the refund balance to the wallet, and start its run if it has terms',
  sideEffect: true,
  reply: Closed({ message: Type.Literal('REFUND_SUCCESS'), amount: Amount, statementId: StatementId }),
  refusals: ['NO_REFUND', 'SELF_EXCLUDED', 'LIMIT_REACHED', 'REFUND_CONDITION', 'PROVIDER_UNAVAILABLE'],
});

export const listRefunds = call({
  method: 'POST',
  path: '/api/refund',
  access: 'member',
  summary: 'Refunds received, newest first',
  body: Page,
  reply: Closed({ refunds: Type.Array(Refund), total: Type.Integer() }),
});
