-- The receivers of a scheduled report that the mail server refused, for the report that was due at refused_due_at
alter table report_schedule
  add column refused text[],
  add column refusals integer not null default 0,
  add column refused_due_at timestamptz;
