-- Who logs in from the same browser at the same address is found without reading every session.
create index session_of_browser on session (address, hashtext(user_agent), created_at) where user_agent is not null;
