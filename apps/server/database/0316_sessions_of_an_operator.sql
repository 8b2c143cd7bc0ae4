-- The networks an operator has signed in from lately, and when they were last seen
create index operator_session_created on operator_session (operator_id, created_at);
create index operator_session_expires on operator_session (operator_id, expires_at);
