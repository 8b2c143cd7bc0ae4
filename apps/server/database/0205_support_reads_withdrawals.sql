-- Lets support look at withdrawals, which members ask about

-- A set that operators have changed stays theirs.
update operator_role set permissions = permissions || '{withdrawal.read}', updated_at = now()
where code = 'support'
  and permissions @> '{today.read,member.read,member.note,deposit.read,slip.read,chat.read,chat.answer}'
  and permissions <@ '{today.read,member.read,member.note,deposit.read,slip.read,chat.read,chat.answer}';
