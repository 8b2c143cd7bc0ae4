/** The declared calls of the member app as tests walk them. */
import * as member from '@krapao/contract/member';
import type { CallDeclaration } from '@krapao/contract/shared';

const isCall = (value: unknown): value is CallDeclaration =>
  typeof (value as CallDeclaration | null)?.path === 'string';

/** Every declared call by its name. */
export const CALLS: Record<string, CallDeclaration> = Object.fromEntries(
  Object.values(member).flatMap((group) =>
    Object.entries(group as object).filter((entry): entry is [string, CallDeclaration] => isCall(entry[1])),
  ),
);

/** The call's path with these values, written as a browser writes them. */
export const pathOf = (call: CallDeclaration, params: Record<string, string> = {}): string =>
  call.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? 'betflix'));

/** GETs that change something are served as POST too. */
export const methodsOf = (call: CallDeclaration): string[] =>
  call.sideEffect ? ['GET', 'POST'] : [call.method];
