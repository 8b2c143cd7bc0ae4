-- Corrects the wording of first texts that no operator has changed

create temporary table corrected (subject text, language text, was text, becomes text) on commit drop;

-- Reasons prepared for operators who reject a withdrawal.
insert into corrected values
  ('account-name', 'la',
    'ຊື່ບັນຊີທະນາຄານບໍ່ກົງກັບຊື່ທີ່ລົງທະບຽນໄວ້. ກະລຸນາປ່ຽນເປັນບັນຊີທີ່ເປັນຊື່ຂອງທ່ານເອງ ແລ້ວຖອນໃໝ່.',
    'ຊື່ບັນຊີທະນາຄານບໍ່ກົງກັບຊື່ທີ່ລົງທະບຽນໄວ້. ກະລຸນາປ່ຽນເປັນບັນຊີທີ່ເປັນຊື່ຂອງທ່ານເອງ ແລ້ວຖອນໃໝ່'),
  ('account-closed', 'la',
    'ທະນາຄານບໍ່ຮັບໂອນເຂົ້າບັນຊີນີ້. ກະລຸນາກວດສອບກັບທະນາຄານ ຫຼື ປ່ຽນບັນຊີ ແລ້ວຖອນໃໝ່.',
    'ທະນາຄານບໍ່ຮັບໂອນເຂົ້າບັນຊີນີ້. ກະລຸນາກວດສອບກັບທະນາຄານ ຫຼື ປ່ຽນບັນຊີ ແລ້ວຖອນໃໝ່'),
  ('not-played', 'th',
    'ยอดฝากนี้ยังไม่ได้ใช้เล่น กรุณาเล่นให้ครบตามเงื่อนไขก่อน แล้วทำรายการถอนใหม่',
    'ยอดฝากนี้ยังเล่นไม่ครบตามเงื่อนไข ถอนได้เมื่อครบเงื่อนไข'),
  ('not-played', 'la',
    'ຍອດຝາກນີ້ຍັງບໍ່ໄດ້ໃຊ້ຫຼິ້ນ. ກະລຸນາຫຼິ້ນໃຫ້ຄົບຕາມເງື່ອນໄຂກ່ອນ ແລ້ວຖອນໃໝ່.',
    'ຍອດຝາກນີ້ຍັງຫຼິ້ນບໍ່ຄົບຕາມເງື່ອນໄຂ. ຖອນໄດ້ເມື່ອຄົບເງື່ອນໄຂ'),
  ('not-played', 'en',
    'This deposit has not been played yet. Play as the terms require, then withdraw again.',
    'This deposit hasn’t been played through yet. You can withdraw once the conditions are met.'),
  ('contact-us', 'la',
    'ພວກເຮົາຕ້ອງຢືນຢັນຂໍ້ມູນບາງຢ່າງກັບທ່ານກ່ອນ. ກະລຸນາຕິດຕໍ່ພວກເຮົາທາງແຊັດ ແລ້ວຖອນໃໝ່.',
    'ພວກເຮົາຕ້ອງຢືນຢັນຂໍ້ມູນບາງຢ່າງກັບທ່ານກ່ອນ. ກະລຸນາຕິດຕໍ່ພວກເຮົາທາງການສົນທະນາ ແລ້ວຖອນໃໝ່'),
  ('member-asked', 'la',
    'ຍົກເລີກການຖອນຕາມທີ່ທ່ານແຈ້ງ. ທ່ານຖອນໃໝ່ໄດ້ທຸກເວລາ.',
    'ຍົກເລີກການຖອນຕາມທີ່ທ່ານແຈ້ງ. ທ່ານຖອນໃໝ່ໄດ້ທຸກເວລາ');

update rejection_reason r
set notice = r.notice || (
  select jsonb_object_agg(n.language, n.becomes)
  from corrected n
  where n.subject = r.code and r.notice ->> n.language = n.was)
where r.changed_by = 'system'
  and exists (select 1 from corrected n where n.subject = r.code and r.notice ->> n.language = n.was);

-- Content that nobody has published anew.
truncate corrected;
insert into corrected values
  ('notice', 'th', 'ไม่เกิน {percentFail}%"', 'ไม่เกิน {percentFail}% ของยอดเริ่มต้น"'),
  ('notice', 'la', 'ບໍ່ເກີນ {percentFail}%"', 'ບໍ່ເກີນ {percentFail}% ຂອງຍອດເລີ່ມຕົ້ນ"'),
  ('notice', 'en', 'The bonus can end when the balance falls to {percentFail}% or below.',
    'You can end the bonus once your balance is {percentFail}% of the starting amount or less.'),
  ('conditions', 'th', '<h3>การเล่นอย่างรับผิดชอบ</h3>', '<h3>เล่นอย่างพอดี</h3>'),
  ('conditions', 'la', '<h3>ການຫຼິ້ນຢ່າງມີຄວາມຮັບຜິດຊອບ</h3>', '<h3>ຫຼິ້ນຢ່າງພໍດີ</h3>'),
  ('conditions', 'la', 'ເທື່ອລະໜຶ່ງລາຍການ', 'ຄັ້ງລະໜຶ່ງລາຍການ'),
  ('conditions', 'en', '<h3>Responsible play</h3>', '<h3>Play safely</h3>'),
  ('agreements', 'la', 'ເພື່ອໃຫ້ບໍລິການ, ກວດສອບ', 'ເພື່ອໃຫ້ບໍລິການ ກວດສອບ'),
  ('contact', 'en', 'here for you 24 hours, every day', 'here for you 24 hours a day, every day'),
  ('help', 'la', 'ລົມກັບພະນັກງານ', 'ສົນທະນາກັບພະນັກງານ');
delete from corrected n
using content_revision r
where r.key = n.subject and r.published_by <> 'system';

do $$
declare
  one corrected;
begin
  for one in select * from corrected loop
    update content
    set body = replace(body::text, one.was, one.becomes)::jsonb, updated_at = now()
    where key = one.subject and language = one.language and strpos(body::text, one.was) > 0;
    update content_revision
    set words = words
      || jsonb_build_object(one.language, replace((words -> one.language)::text, one.was, one.becomes)::jsonb)
    where key = one.subject and strpos((words -> one.language)::text, one.was) > 0;
  end loop;
end $$;

-- How members came to know the service.
update source set description_la = 'ຊອກຫາໃນອິນເຕີເນັດ'
where code = 'search' and description_la = 'ຄົ້ນຫາໃນອິນເຕີເນັດ';
update source set description_th = 'LINE' where code = 'line' and description_th = 'ไลน์';
update source set description_la = 'LINE' where code = 'line' and description_la = 'ໄລນ໌';
