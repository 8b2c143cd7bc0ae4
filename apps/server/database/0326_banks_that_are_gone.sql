-- Banks that have no accounts any more are not offered; operators can offer one again

update bank set is_open = false where code in ('CITI', 'TBANK');
