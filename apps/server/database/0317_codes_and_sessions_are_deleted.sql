-- One-time codes and sessions are deleted some time after they are over
create index otp_sent on otp (sent_at);
create index session_expires on session (expires_at);
grant delete on otp, session to krapao_app;
