import type { CommonCode, ErrorCode } from '@krapao/contract/shared';
import { Refusal, type Refuse } from './refusal.ts';

/**
 * Creates a refusal with any code. For what no declared call limits: session checks, jobs, the ledger's saved answers.
 * Handlers and what they call take a `Refuse` instead.
 */
export const refuseAny: Refuse<ErrorCode> = (code, data, note) => new Refusal(code as CommonCode, data, note);
