import { Type } from 'typebox';
import { call } from '../shared/call.ts';
import { Amount, Bank, BankAccount, Closed, Nullable } from './schemas.ts';

export const banks = call({
  method: 'GET',
  path: '/api/lookup/banks',
  access: 'public',
  summary: 'Banks a member may register',
  reply: Type.Array(Bank),
});

export const deposit = call({
  method: 'GET',
  path: '/api/lookup/deposit',
  access: 'member',
  summary: "Deposit channels for the member's currency",
  reply: Closed(
    {
      banks: Type.Array(
        Closed({
          ...BankAccount.properties,
          bankType: Type.Union([Type.Literal('BANK'), Type.Literal('WW'), Type.Literal('ZAPMAN')]),
          mode: Type.Union([Type.Literal('AUTO'), Type.Literal('QR')]),
          currency: Type.String(),
          minimum: Nullable(Amount),
          maximum: Type.Optional(Nullable(Amount)),
        }),
      ),
      wallets: Type.Array(
        Closed({
          mode: Type.Union([Type.Literal('AUTO'), Type.Literal('LINK')]),
          walletAccountName: Type.String(),
          walletAccountNo: Nullable(
            Type.String({ description: 'AUTO: the number to send to, from the member’s own wallet.' }),
          ),
        }),
      ),
      giftMinimum: Amount,
      isManual: Type.Boolean({
        description:
          'Whether a payment that has not arrived can be reported, also one made before deposits were stopped.',
      }),
      qrMinutes: Type.Integer({ description: 'How long a QR can be paid, in minutes.' }),
      left: Type.Optional(
        Nullable(
          Type.Number({ description: "What the member's own deposit limits leave; null: none is set." }),
        ),
      ),
      hasReport: Type.Optional(
        Type.Boolean({
          description: 'A reported payment is being looked for; the next report waits for it.',
        }),
      ),
      takesSlips: Type.Optional(
        Type.Boolean({
          description: 'Whether slips of transfers are taken, also while no account for them is in `banks`.',
        }),
      ),
      openQr: Type.Optional(
        Nullable(
          Type.String({
            description:
              'The bank of the open QR; null: none. It stays among the banks when it uses the own limit up.',
          }),
        ),
      ),
      recent: Type.Optional(
        Type.Array(
          Closed({
            bankCode: Type.String({ description: 'Code of the account of ours that the money came to.' }),
            mode: Type.Union([Type.Literal('QR'), Type.Literal('AUTO'), Type.Literal('LINK')]),
            amount: Amount,
          }),
          { description: "The member's last deposits that arrived, at most three, newest first." },
        ),
      ),
    },
    { $id: 'DepositLookup' },
  ),
  refusals: ['SELF_EXCLUDED', 'LIMIT_REACHED'],
});

export const conditions = call({
  method: 'GET',
  path: '/api/lookup/conditions',
  access: 'public',
  summary: 'Conditions as cleaned HTML',
  reply: Closed({ conditions: Type.Array(Type.String()) }),
});
export const agreements = call({
  method: 'GET',
  path: '/api/lookup/agreements',
  access: 'public',
  summary: 'Agreements as cleaned HTML',
  reply: Type.Array(Type.String()),
});
export const info = call({
  method: 'GET',
  path: '/api/lookup/info',
  access: 'public',
  summary: "The provider's name and website",
  reply: Closed(
    {
      name: Type.String(),
      website: Type.String(),
      sandbox: Type.Boolean({ description: 'True while connected to the sandbox.' }),
      agreement: Type.Integer({
        description: 'Revision of the agreements; members who accepted an earlier one must accept again.',
      }),
      registerAge: Type.Integer({
        description: 'The least age to confirm at registration; 0: none is required.',
      }),
    },
    { $id: 'Info' },
  ),
});
export const notice = call({
  method: 'GET',
  path: '/api/lookup/notice',
  access: 'public',
  summary: 'The notice shown with a bonus',
  reply: Closed({ notice: Type.String() }),
});
export const contact = call({
  method: 'GET',
  path: '/api/lookup/contact',
  access: 'public',
  summary: 'Contact text and chat app',
  reply: Closed(
    {
      contactText: Type.String(),
      lineLink: Type.String(),
      lineName: Type.String(),
      lineQR: Type.String({ description: 'Address of an image or an inline SVG data address.' }),
    },
    { $id: 'Contact' },
  ),
});
export const withdraw = call({
  method: 'GET',
  path: '/api/lookup/withdraw',
  access: 'member',
  summary: "Withdrawal limits in the member's currency",
  reply: Closed(
    {
      isOpen: Type.Boolean({ description: 'false: withdrawals are stopped for now; games give money back.' }),
      withdrawMin: Amount,
      withdrawMax: Amount,
      automaticMax: Type.Number({
        minimum: 0,
        description:
          'Up to so much is paid without an operator now, with what was in the last 24 hours; 0: nothing is',
      }),
      owesBets: Type.Optional(
        Type.Boolean({
          description:
            'Deposits are to be bet before a withdrawal is paid without an operator. Whether they have been, the games tell when it is requested.',
        }),
      ),
      playedTimes: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'How many times what was deposited the bets must come to, where `owesBets`.',
        }),
      ),
      payoutsFrom: Nullable(
        Type.String({ description: 'When withdrawals to a new account are first paid; null when they are.' }),
      ),
      needsPin: Type.Boolean({
        description:
          'The member demands their PIN: a session that has not proven it is refused with data.pin.',
      }),
      hasOpen: Type.Optional(
        Type.Boolean({ description: 'A withdrawal is under way, and the next one has to wait for it.' }),
      ),
      last: Type.Optional(
        Nullable(Type.Number({ description: 'The amount last paid out; null: none yet.' })),
      ),
      verifyFrom: Type.Optional(
        Nullable(
          Type.Number({
            minimum: 0,
            description:
              'From this amount on an operator looks at a withdrawal now, unless the identity is verified; null: from none.',
          }),
        ),
      ),
    },
    { $id: 'WithdrawLimits' },
  ),
});
export const slip = call({
  method: 'GET',
  path: '/api/lookup/slip',
  access: 'member',
  summary: 'When and how a slip may be uploaded',
  reply: Closed({
    open: Type.Boolean(),
    isManual: Type.Boolean({ description: 'Whether a payment that has not arrived can be reported.' }),
    windowMinutes: Type.Integer(),
    closedHours: Type.Array(Closed({ from: Type.String(), to: Type.String() })),
    maxSizeMB: Type.Integer(),
  }),
});
export const sources = call({
  method: 'GET',
  path: '/api/lookup/sources',
  access: 'public',
  summary: 'The sources from which a member may know us',
  reply: Type.Array(Closed({ code: Type.String(), description: Type.String() })),
});
export const active = call({
  method: 'GET',
  path: '/api/lookup/active',
  access: 'public',
  summary: 'Whether the service is running',
  reply: Closed({
    active: Type.Boolean(),
    terminated: Type.Union([Type.Literal(false), Type.Literal('gone')]),
  }),
});
export const registerOtp = call({
  method: 'GET',
  path: '/api/lookup/registerOTP',
  access: 'public',
  summary: 'Whether registration requires an OTP',
  reply: Type.Boolean(),
});
export const enableChatWidget = call({
  method: 'GET',
  path: '/api/lookup/enableChatWidget',
  access: 'public',
  summary: 'Whether the chat widget is shown',
  reply: Type.Boolean(),
});
