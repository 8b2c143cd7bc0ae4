-- Keeps reports that are sent by e-mail every day, week or month

create table report_schedule (
  id text primary key,
  report text not null,
  format text not null check (format in ('csv', 'xlsx')),
  period text not null check (period in ('DAY', 'WEEK', 'MONTH')),
  language text not null check (language in ('th', 'la', 'en')),
  recipients text[] not null check (cardinality(recipients) between 1 and 10),
  operator_id bigint not null references operator(id),
  created_at timestamptz not null,
  due_at timestamptz not null,
  tried_at timestamptz,
  sent_at timestamptz,
  failure text
);
create index report_schedule_due on report_schedule (due_at);
grant select, insert, update, delete on report_schedule to krapao_app;
