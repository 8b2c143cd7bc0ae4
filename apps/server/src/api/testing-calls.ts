/** The declared calls of both APIs as tests walk them. */
import * as member from '@krapao/contract/member';
import * as operator from '@krapao/contract/operator';
import type { CallDeclaration } from '@krapao/contract/shared';

const isCall = (value: unknown): value is CallDeclaration =>
  typeof (value as CallDeclaration | null)?.path === 'string';

const callsOf = (groups: object): Record<string, CallDeclaration> =>
  Object.fromEntries(
    Object.values(groups).flatMap((group) =>
      Object.entries(group as object).filter((entry): entry is [string, CallDeclaration] => isCall(entry[1])),
    ),
  );

/** Every declared call of members by its name. */
export const CALLS = callsOf(member);

/** Every declared call of operators by its name. */
export const OPERATOR_CALLS = callsOf(operator);

/** The call's path with these values, written as a browser writes them. */
export const pathOf = (call: CallDeclaration, params: Record<string, string> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? 'betflix'));

/** GETs that change something are served as POST too. */
export const methodsOf = (call: CallDeclaration): string[] =>
  call.sideEffect ? ['GET', 'POST'] : [call.method];
