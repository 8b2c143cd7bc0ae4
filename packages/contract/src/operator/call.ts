import type { CallDeclaration } from '../shared/call.ts';
import type { Permission } from './permissions.ts';

type Declaration = Omit<CallDeclaration, 'access' | 'permission' | 'alsoNeeds'> & {
  permission: Permission | null;
  alsoNeeds?: Permission | null;
};

/** Declares a call of signed-in operators. `permission` null: the call concerns only the caller. */
export const operatorCall = <const C extends Declaration>(declaration: C): C & { access: 'operator' } => ({
  ...declaration,
  access: 'operator',
});
