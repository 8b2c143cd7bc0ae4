-- Lets pending requests stay until they are decided that say that money has left already

update approval
  set lapses_at = '9999-12-31 00:00:00+00'
  where state = 'PENDING' and action in ('withdrawal.paid', 'unmatched.return');
