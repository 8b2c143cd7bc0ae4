-- Lao phones that were typed with a bare 856 are stored without it, as those typed with +856 are. Phones of the Thai
-- variant have ten digits. One whose shorter form is another member's stays as it is.
update member m
set phone = n.phone
from (
  select distinct on (c.phone) c.id, c.phone
  from (
    select id, regexp_replace(phone, '^8560?', '') as phone
    from member
    where phone ~ '^8560?[0-9]{8,10}$'
  ) c
  order by c.phone, c.id
) n
where m.id = n.id and not exists (select 1 from member o where o.phone = n.phone);
