-- Returns the smallest part of a credit that a provider moves, in hundredths. The adapters declare it too; a test
-- compares both.
create or replace function game_credit_step(_adapter text) returns bigint language sql immutable as $$
  select case _adapter when 'style-j' then 100 else 1 end::bigint
$$;

-- Reports whether a member's game holds credits that its provider moves, by the last reading. What it does not move
-- are fractions that winnings left.
create or replace function game_is_movable(_member bigint, _slot text) returns boolean language sql stable as $$
  select exists (
    select 1
    from game_account g
    join slot s on s.code = g.slot_code
    where g.member_id = _member and g.slot_code = _slot and g.credits >= game_credit_step(s.adapter))
$$;
