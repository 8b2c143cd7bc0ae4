import type { Permission } from '@krapao/contract/operator';
import { createContext, useContext } from 'react';
import type { Reply } from './api.ts';

export type Me = Reply<'GET /api/operator/me'>;

export const MeContext = createContext<Me | null>(null);

/** Who is signed in. Throws outside the signed-in part. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe needs a signed-in operator');
  return me;
}

/** Whether the operator may; the server decides, this only hides. */
export const may = (me: Me, permission: Permission): boolean => me.permissions.includes(permission);
