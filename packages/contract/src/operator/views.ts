/** How an operator has a page's list before them: the columns they chose, and views saved under a name. */
import { Type } from 'typebox';
import { operatorCall } from './call.ts';
import type { Permission } from './permissions.ts';
import { Closed, Done, Id, Nullable, OneOf, Text } from './schemas.ts';

/** Pages whose list, or report, can be stored as a view, and the permission to read each. */
export const VIEW_PAGES_READ = {
  withdrawals: 'withdrawal.read',
  deposits: 'deposit.read',
  unmatched: 'unmatched.read',
  reports: 'unmatched.read',
  doubts: 'unmatched.read',
  slips: 'slip.read',
  transfers: 'transfer.read',
  members: 'member.read',
  differences: 'reconciliation.read',
  coupons: 'promotion.read',
  figures: 'figures.read',
  approvals: 'approval.read',
  audit: 'audit.read',
} as const satisfies Record<string, Permission>;
type PageName = keyof typeof VIEW_PAGES_READ;
const PageName = OneOf(Object.keys(VIEW_PAGES_READ) as PageName[]);
/** Who sees a saved view: its owner, every operator of the owner's role, or every operator who may read the page. */
const Audience = OneOf(['me', 'role', 'all'] as const);
/** Filters, order and columns, as in the query string of the page's address. */
const Address = Text(1_000);

export const listViews = operatorCall({
  method: 'GET',
  path: '/api/operator/views',
  permission: null,
  summary:
    'Saved views of the pages the caller may read, their own and those shared with them; their columns',
  reply: Closed({
    views: Type.Array(
      Closed(
        {
          id: Type.String(),
          pageName: PageName,
          name: Type.String(),
          address: Address,
          audience: Audience,
          owner: Type.String(),
          mine: Type.Boolean(),
          isDefault: Type.Optional(
            Type.Boolean({ description: 'Whether the caller’s console opens the page with it.' }),
          ),
        },
        { $id: 'View' },
      ),
    ),
    columns: Type.Array(
      Closed({
        pageName: PageName,
        shown: Type.Array(Type.String(), { description: 'None: those the page comes with.' }),
        pageSize: Nullable(Type.Integer()),
      }),
    ),
  }),
});

export const saveView = operatorCall({
  method: 'POST',
  path: '/api/operator/views',
  permission: null,
  summary: 'Keep a view under a name; one of the caller’s own of that page and name is replaced',
  body: Closed({ pageName: PageName, name: Text(60, 1), address: Address, audience: Audience }),
  reply: Closed({ id: Type.String() }),
  refusals: ['UNAUTHORIZED', 'LIST_FULL'],
});

export const removeView = operatorCall({
  method: 'POST',
  path: '/api/operator/views/{id}/remove',
  permission: null,
  summary: 'Remove a view of one’s own',
  params: Closed({ id: Id }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const chooseColumns = operatorCall({
  method: 'POST',
  path: '/api/operator/columns',
  permission: null,
  summary: 'Which columns of a page’s list the caller sees from now on; none: those it comes with',
  body: Closed({ pageName: PageName, shown: Type.Array(Text(30, 1), { maxItems: 30 }) }),
  reply: Done,
  refusals: ['UNAUTHORIZED'],
});

/** How many rows a page of a list may have. */
export const PAGE_SIZES = [25, 50, 100] as const;

export const choosePageSize = operatorCall({
  method: 'POST',
  path: '/api/operator/page-size',
  permission: null,
  summary: 'How many rows a page of a list has for the caller from now on',
  body: Closed({
    pageName: PageName,
    size: Type.Unsafe<(typeof PAGE_SIZES)[number]>(Type.Integer({ enum: [...PAGE_SIZES] })),
  }),
  reply: Done,
  refusals: ['UNAUTHORIZED'],
});

export const chooseDefaultView = operatorCall({
  method: 'POST',
  path: '/api/operator/default-view',
  permission: null,
  summary: 'The view that the caller’s console opens a page with from now on; null: none',
  body: Closed({ pageName: PageName, id: Nullable(Id) }),
  reply: Done,
  refusals: ['UNAUTHORIZED', 'NO_DATA'],
});
