-- Corrects the first conditions, which sent members who want a break to support: they take one themselves

create temporary table corrected (language text, was text, becomes text) on commit drop;
insert into corrected values
  ('th', 'หากต้องการพัก กรุณาติดต่อเจ้าหน้าที่', 'ตั้งวงเงินหรือพักการเล่นได้ทุกเวลาที่ โปรไฟล์ › เล่นอย่างพอดี'),
  ('la', 'ຖ້າຕ້ອງການພັກ ກະລຸນາຕິດຕໍ່ພະນັກງານ', 'ຕັ້ງວົງເງິນ ຫຼື ພັກການຫຼິ້ນໄດ້ທຸກເວລາທີ່ ໂປຣໄຟລ໌ › ຫຼິ້ນຢ່າງພໍດີ'),
  ('en', 'To take a break, contact support.',
    'Set limits or take a break at any time under Profile › Play safely.');

-- Only where no other conditions have been published.
update content c
set body = replace(c.body::text, n.was, n.becomes)::jsonb, updated_at = now()
from corrected n
where c.key = 'conditions' and c.language = n.language
  and not exists (
    select 1 from content_revision r where r.key = 'conditions' and r.published_by <> 'system');

update content_revision r
set words = (select jsonb_object_agg(c.language, c.body) from content c where c.key = 'conditions')
where r.key = 'conditions' and r.revision = 1 and r.published_by = 'system'
  and not exists (
    select 1 from content_revision o where o.key = 'conditions' and o.published_by <> 'system');
