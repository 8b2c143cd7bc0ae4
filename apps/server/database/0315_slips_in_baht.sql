-- What a slip checker reports is in satang; without an account of ours it was stored under the member's currency
update slip set currency = 'BAHT' where currency = 'LAK' and bank_code is null and amount is not null;
