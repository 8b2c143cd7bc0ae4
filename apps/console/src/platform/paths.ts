import type { ComponentProps, ReactElement } from 'react';
import { Link as AnyLink, useLocation } from 'wouter';

/** The pages of the console. */
export type Page =
  | '/'
  | '/alerts'
  | '/approvals'
  | '/audit'
  | '/bonuses'
  | '/chats'
  | '/content'
  | '/coupons'
  | '/deposit-accounts'
  | '/deposits'
  | '/figures'
  | '/games'
  | '/me'
  | '/members'
  | '/reconciliation'
  | '/reports'
  | '/rewards'
  | '/settings'
  | '/slips'
  | '/team'
  | '/transfers'
  | '/unmatched'
  | '/webhooks'
  | '/wheels'
  | '/withdrawals';

/** A page, one of its subjects, or a page with filters. */
export type Path =
  | Page
  | `/${'bonuses' | 'members' | 'webhooks' | 'wheels'}/${string}`
  | `${Exclude<Page, '/'>}?${string}`;

/** Returns what goes to a page; an address without a page does not compile. */
export const useGo = (): ((path: Path) => void) => useLocation()[1];

/** The router's link, to addresses that have a page. */
export const Link = AnyLink as unknown as (
  props: Omit<ComponentProps<'a'>, 'href'> & { href: Path },
) => ReactElement;
