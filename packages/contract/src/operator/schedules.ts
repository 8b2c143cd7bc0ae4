/** Reports that are sent by e-mail. */
import { Type } from 'typebox';
import { LanguageCode } from '../shared/schemas.ts';
import { operatorCall } from './call.ts';
import { Closed, Done, Id, Nullable, OneOf, Timestamp } from './schemas.ts';

/** The reports that can be sent: those that have a file. */
export const SENT_REPORTS = [
  'cash',
  'channels',
  'hours',
  'liabilities',
  'waiting',
  'games',
  'sources',
  'retention',
  'costs',
  'agents',
] as const;
export type SentReport = (typeof SENT_REPORTS)[number];

/** How often a report is sent; it covers the day, week or calendar month before. */
export const REPORT_PERIODS = ['DAY', 'WEEK', 'MONTH'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

const Address = Type.String({ pattern: '^[^\\s@<>,;"\\u0000]{1,64}@[A-Za-z0-9.-]{1,180}$', maxLength: 254 });
const schedule = {
  report: OneOf(SENT_REPORTS),
  format: OneOf(['csv', 'xlsx'] as const),
  period: OneOf(REPORT_PERIODS),
  language: LanguageCode,
  recipients: Type.Array(Address, { minItems: 1, maxItems: 10, uniqueItems: true }),
};

export const listSchedules = operatorCall({
  method: 'GET',
  path: '/api/operator/report-schedules',
  permission: 'figures.read',
  summary: 'Reports that are sent by e-mail, and whether the server has a mail server',
  reply: Closed({
    hasMail: Type.Boolean({ description: 'Without one nothing is sent.' }),
    schedules: Type.Array(
      Closed(
        {
          id: Type.String(),
          ...schedule,
          by: Type.String(),
          dueAt: Timestamp,
          sentAt: Nullable(Timestamp),
          failure: Nullable(
            Type.String({
              description:
                'Why the last attempt failed, as the mail server put it; UNAUTHORIZED: its operator may no longer export.',
            }),
          ),
        },
        { $id: 'ReportSchedule' },
      ),
    ),
  }),
});

export const addSchedule = operatorCall({
  method: 'POST',
  path: '/api/operator/report-schedules',
  permission: 'export.read',
  alsoNeeds: 'figures.read',
  summary: 'Send a report by e-mail at 06:00 in Bangkok, every day, Monday or first of a month',
  body: Closed(schedule),
  reply: Closed({ id: Type.String() }),
  refusals: ['LIST_FULL'],
});

export const removeSchedule = operatorCall({
  method: 'POST',
  path: '/api/operator/report-schedules/{id}/remove',
  permission: 'export.read',
  alsoNeeds: 'figures.read',
  summary: 'Send a report no more',
  params: Closed({ id: Id }),
  reply: Done,
  refusals: ['NO_DATA'],
});

export const sendSchedule = operatorCall({
  method: 'POST',
  path: '/api/operator/report-schedules/{id}/send',
  permission: 'export.read',
  alsoNeeds: 'figures.read',
  summary: 'Send a report of the last whole period now, besides its schedule',
  params: Closed({ id: Id }),
  reply: Done,
  refusals: ['NO_DATA', 'NO_MAIL'],
});
