import * as member from '@krapao/contract/member';
import * as operator from '@krapao/contract/operator';
import type { CallDeclaration } from '@krapao/contract/shared';

const isCall = (value: unknown): value is CallDeclaration =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value && 'reply' in value;

const callsOf = (contract: object): CallDeclaration[] =>
  Object.values(contract).flatMap((group: unknown) =>
    typeof group === 'object' && group !== null ? Object.values(group).filter(isCall) : [],
  );

/** Every declared call of the member app and of the console. */
export const MEMBER_CALLS: readonly CallDeclaration[] = callsOf(member);
export const OPERATOR_CALLS: readonly CallDeclaration[] = callsOf(operator);
