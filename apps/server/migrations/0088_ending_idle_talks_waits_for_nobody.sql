-- A talk that somebody holds is not idle; and who waits for one while he holds another may meet a merge the other way round.

create or replace function chat_end_idle(_conversation bigint, _now timestamptz, _idle interval) returns void language plpgsql as $$
begin
  perform 1 from chat_conversation where id = _conversation and state = 'OPEN' and merged_into is null
    and last_sender = 'agent' and waiting_since is null and last_at < _now - _idle for update skip locked;
  if found then perform chat_end(_conversation, 'idle', null, _now); end if;
end $$;
