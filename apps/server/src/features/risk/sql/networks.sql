-- Reports whether at most 20 members have logged in from a network since a moment, by its first 200 logins. A larger
-- one is a mobile provider's or a café's and links no members, with any browser names. Reads the logins
-- one by one: a bitmap would collect all of a large network first.
create or replace function is_small_network(_network text, _since timestamptz) returns boolean
language sql stable cost 10000 set enable_bitmapscan = off as $$
  select count(distinct l.member_id) <= 20
  from (
    select s.member_id
    from session s
    where s.network = _network and s.created_at > _since
    limit 200
  ) l
$$;
