-- Slips that a server of the version before stored after migration 0315: in satang, under another currency
update slip set currency = 'BAHT' where currency = 'LAK' and bank_code is null and amount is not null;
