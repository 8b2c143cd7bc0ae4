import { ALERT_KINDS, type AlertKind } from '@krapao/contract/operator';
import type { Db } from '../../platform/database/db.ts';
import type { Operator } from '../../platform/operators.ts';
import { countAlerts } from './queries.ts';

/** The kinds of alerts whose subjects an operator may open. */
export const readableKinds = ({ permissions }: Pick<Operator, 'permissions'>): AlertKind[] =>
  (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => permissions.has(ALERT_KINDS[kind]));

/** Counts the alerts that are not over and that the operator may see. */
export const countAlertsFor = (db: Db, operator: Operator) => countAlerts(db, readableKinds(operator));
