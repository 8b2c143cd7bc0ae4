-- Whether a member has logged in from a network lately is read at each login and each one-time code
create index session_of_member_network
  on session ((member_id::text || ' ' || coalesce(network, address)), created_at);
