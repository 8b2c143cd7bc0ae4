-- Opens an alert, or nothing while one of the kind about the subject is open. Returns whether one was opened.
create or replace function alert_open(_kind text, _subject text, _detail text, _now timestamptz) returns boolean
language sql as $$
  with opened as (
    insert into alert (kind, subject, detail, opened_at)
      values (_kind, _subject, _detail, _now)
      on conflict (kind, subject) where closed_at is null do nothing
      returning 1
  )
  select exists (select from opened)
$$;

-- Ends the open alert of a kind about a subject, if there is one, because its cause is gone; with an audit row.
create or replace function alert_end(_kind text, _subject text, _now timestamptz) returns void language sql as $$
  with ended as (
    update alert
      set closed_at = greatest(_now, opened_at), closed_by = 'system', outcome = 'RESOLVED'
      where kind = _kind and subject = _subject and closed_at is null
      returning closed_at, case when assignee_id is null then 'OPEN' else 'INVESTIGATING' end as state
  )
  insert into audit (at, actor, action, subject, before, after)
    select closed_at, 'system', 'alert.resolve', _subject, jsonb_build_object('kind', _kind, 'state', state),
      jsonb_build_object('state', 'RESOLVED')
    from ended
$$;

-- Ends the alert of a rule whose cause a changed row has removed. Arguments: the alert's kind, the kind of its
-- subject, and the column with the subject's id.
create or replace function alert_cause_gone() returns trigger language plpgsql as $$
begin
  perform alert_end(tg_argv[0], tg_argv[1] || ':' || (to_jsonb(new) ->> tg_argv[2]), now());
  return null;
end $$;

-- Refuses an alert of a kind that the program does not know.
create or replace function alert_kind_refused() returns trigger language plpgsql as $$
begin
  raise exception 'unknown kind of alert: %', new.kind using errcode = 'check_violation';
end $$;

-- Keeps the kinds of alerts to the list that texts and permissions stand for.
create or replace trigger alert_kind_refused
  before insert on alert
  for each row when (not is_alert_kind(new.kind))
  execute function alert_kind_refused();
