-- What files of a talk weigh, and until when a guest's are kept.
alter table chat_file add column bytes bigint not null default 0 check (bytes >= 0);
-- Only of what a guest sent: a member's stays.
alter table chat_file add column kept_until timestamptz;
create index chat_file_kept_until on chat_file (kept_until) where kept_until is not null;
create index chat_file_of on chat_file (message_id) where message_id is not null;
create index chat_message_media on chat_message (conversation_id, created_at) where sender = 'customer' and message ->> 'message_type' = 'media';
