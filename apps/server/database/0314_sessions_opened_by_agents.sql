-- Time to the first answer counts from the customer's first message, not from a session that an agent opened

-- opened_by_agent: an agent wrote first or opened it again; false: a message of the customer opened it.
-- first_message_at: when the customer wrote first in a session that an agent opened. Where the session of a guest who
-- waits was merged into this one: since when the guest waits.
alter table chat_session
  add column opened_by_agent boolean not null default false,
  add column first_message_at timestamptz;
-- The message that opened such a session counted as its first answer.
update chat_session set opened_by_agent = true, first_answer_at = null where first_answer_at = opened_at;
