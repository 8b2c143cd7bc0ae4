-- Initial rows of every installation; operators change them later.

insert into ledger_asset values (1, 'BAHT', 2), (2, 'LAK', 0), (3, 'COIN', 0);
-- First batch of the hash chain.
insert into ledger_batch (entries, created_at, hash) values (0, '2000-01-01Z', sha256('krapao ledger'::bytea));

insert into operator_role (code, permissions, updated_at) values
  ('admin', '{today.read,member.read,member.status,approval.read,approval.access,audit.read,operator.read
    ,operator.manage,alert.close,content.read,content.manage,channel.read,setting.read,setting.manage
    ,figures.read,promotion.read,chat.read,chat.manage}', now()),
  ('auditor', '{today.read,withdrawal.read,deposit.read,unmatched.read,transfer.read,member.read,approval.read
    ,audit.read,export.read,operator.read,slip.read,reconciliation.read,content.read,channel.read
    ,setting.read,figures.read,promotion.read,chat.read}', now()),
  ('finance', '{today.read,withdrawal.read,withdrawal.decide,withdrawal.pay,deposit.read,unmatched.read
    ,unmatched.settle,transfer.read,transfer.settle,member.read,member.reveal,member.note,entry.make
    ,approval.read,export.read,alert.close,slip.read,slip.decide,reconciliation.read,deposit.reverse
    ,channel.read,figures.read,promotion.read,chat.read,chat.answer}', now()),
  ('finance-lead', '{today.read,withdrawal.read,withdrawal.decide,withdrawal.pay,deposit.read,unmatched.read
    ,unmatched.settle,transfer.read,transfer.settle,member.read,member.reveal,member.note,entry.make
    ,approval.read,approval.money,audit.read,export.read,alert.close,slip.read,slip.decide
    ,reconciliation.read,reconciliation.settle,deposit.reverse,channel.read,channel.manage,figures.read
    ,promotion.read,chat.read,chat.answer,chat.manage}', now()),
  ('marketing', '{today.read,content.read,content.manage,promotion.read,promotion.manage,approval.read,export.read
    ,setting.read}', now()),
  ('risk', '{today.read,withdrawal.read,deposit.read,transfer.read,member.read,member.reveal,member.status
    ,member.note,audit.read,alert.close,slip.read,promotion.read,chat.read}', now()),
  ('support', '{today.read,member.read,member.note,deposit.read,slip.read,chat.read,chat.answer}', now());

insert into bank (code, bot_code, name_local, name_en, color, variant, account_lengths, position) values
  ('KBANK', '004', 'ธนาคารกสิกรไทย', 'Kasikornbank', '#138f2d', 'th', '{10}', 1),
  ('KTB', '006', 'ธนาคารกรุงไทย', 'Krungthai Bank', '#1ba5e1', 'th', '{10}', 2),
  ('SCB', '014', 'ธนาคารไทยพาณิชย์', 'Siam Commercial Bank', '#4e2e7f', 'th', '{10}', 3),
  ('BBL', '002', 'ธนาคารกรุงเทพ', 'Bangkok Bank', '#1e4598', 'th', '{10}', 4),
  ('BAY', '025', 'ธนาคารกรุงศรีอยุธยา', 'Bank of Ayudhya (Krungsri)', '#fec43b', 'th', '{10}', 5),
  ('TMB', '011', 'ธนาคารทหารไทยธนชาต', 'TMBThanachart Bank (ttb)', '#1279be', 'th', '{10}', 6),
  ('GSB', '030', 'ธนาคารออมสิน', 'Government Savings Bank', '#eb198d', 'th', '{12}', 7),
  ('BAAC', '034', 'ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร', 'Bank for Agriculture and Agricultural Cooperatives',
    '#4b9b1d', 'th', '{12}', 8),
  ('GHB', '033', 'ธนาคารอาคารสงเคราะห์', 'Government Housing Bank', null, 'th', '{12}', 9),
  ('UOB', '024', 'ธนาคารยูโอบี', 'United Overseas Bank (Thai)', '#0b3979', 'th', '{10}', 10),
  ('CIMB', '022', 'ธนาคารซีไอเอ็มบี ไทย', 'CIMB Thai Bank', '#7e2f36', 'th', '{10}', 11),
  ('LHB', '073', 'ธนาคารแลนด์ แอนด์ เฮ้าส์', 'Land and Houses Bank', '#6d6e71', 'th', '{10}', 12),
  ('TISCO', '067', 'ธนาคารทิสโก้', 'TISCO Bank', null, 'th', '{14}', 13),
  ('KKP', '069', 'ธนาคารเกียรตินาคินภัทร', 'Kiatnakin Phatra Bank', '#199cc5', 'th', '{10,14}', 14),
  ('ICBC', '070', 'ธนาคารไอซีบีซี (ไทย)', 'ICBC (Thai)', '#c50f1c', 'th', '{10}', 15),
  ('IBANK', '066', 'ธนาคารอิสลามแห่งประเทศไทย', 'Islamic Bank of Thailand', null, 'th', '{10}', 16),
  ('TCRB', '071', 'ธนาคารไทยเครดิต', 'Thai Credit Bank', null, 'th', '{10,11,12,13,14,15}', 17),
  ('SME', '098', 'ธนาคารพัฒนาวิสาหกิจขนาดกลางและขนาดย่อมแห่งประเทศไทย', 'SME Development Bank',
    null, 'th', '{10,11,12,13,14,15}', 18),
  ('EXIM', '035', 'ธนาคารเพื่อการส่งออกและนำเข้าแห่งประเทศไทย', 'Export-Import Bank of Thailand',
    null, 'th', '{10,11,12,13,14,15}', 19),
  ('CITI', '017', 'ธนาคารซิตี้แบงก์', 'Citibank', null, 'th', '{10}', 20),
  ('TBANK', '065', 'ธนาคารธนชาต', 'Thanachart Bank', '#fc4f1f', 'th', '{10}', 21),
  ('BCEL', null, 'ທະນາຄານການຄ້າຕ່າງປະເທດລາວ ມະຫາຊົນ', 'Banque pour le Commerce Exterieur Lao Public',
    null, 'la', null, 1),
  ('LDB', null, 'ທະນາຄານພັດທະນາລາວ', 'Lao Development Bank', null, 'la', null, 2),
  ('APB', null, 'ທະນາຄານສົ່ງເສີມກະສິກຳ', 'Agricultural Promotion Bank', null, 'la', null, 3),
  ('JDB', null, 'ທະນາຄານຮ່ວມພັດທະນາ', 'Joint Development Bank', null, 'la', null, 4),
  ('LVB', null, 'ທະນາຄານຮ່ວມທຸລະກິດ ລາວ-ຫວຽດ', 'Lao-Viet Joint Venture Bank', null, 'la', null, 5),
  ('STB', null, 'ທະນາຄານເອັສທີ', 'ST Bank', null, 'la', null, 6),
  ('BIC', null, 'ທະນາຄານບີໄອຊີ ລາວ', 'BIC Bank Lao', null, 'la', null, 7),
  ('IB', null, 'ທະນາຄານອິນໂດຈີນ', 'Indochina Bank', null, 'la', null, 8),
  ('PSV', null, 'ທະນາຄານພົງສະຫວັນ', 'Phongsavanh Bank', null, 'la', null, 9),
  ('BFL', null, 'ທະນາຄານຝຣັ່ງລາວ', 'Banque Franco-Lao', null, 'la', null, 10),
  ('MJBL', null, 'ທະນາຄານມາຣູຮານເຈແປນ ລາວ', 'Maruhan Japan Bank Lao', null, 'la', null, 11),
  ('ACLEDA', null, 'ທະນາຄານອາຊີລີດາ ລາວ', 'ACLEDA Bank Lao', null, 'la', null, 12),
  ('VTB', null, 'ທະນາຄານຫວຽດຕິນ ລາວ', 'VietinBank Lao', null, 'la', null, 13),
  ('SACOM', null, 'ທະນາຄານໄຊງ່ອນເທືອງຕິ່ນ ລາວ', 'Sacombank Lao', null, 'la', null, 14),
  ('KBANKLA', null, 'ທະນາຄານກະສິກອນໄທ', 'Kasikornthai Bank (Laos)', null, 'la', null, 15);

insert into source (code, description_th, description_la, description_en, position) values
  ('friend', 'เพื่อนแนะนำ', 'ໝູ່ແນະນຳ', 'A friend', 1),
  ('facebook', 'เฟซบุ๊ก', 'ເຟສບຸກ', 'Facebook', 2),
  ('line', 'ไลน์', 'ໄລນ໌', 'LINE', 3),
  ('search', 'ค้นหาในอินเทอร์เน็ต', 'ຄົ້ນຫາໃນອິນເຕີເນັດ', 'Internet search', 4),
  ('other', 'อื่น ๆ', 'ອື່ນໆ', 'Other', 5);

insert into content (key, language, body, updated_at) values
  ('info', 'th', '{"name": "กระเป๋า", "website": "https://krapao.example"}', now()),
  ('info', 'la', '{"name": "ກະເປົາ", "website": "https://krapao.example"}', now()),
  ('info', 'en', '{"name": "Krapao", "website": "https://krapao.example"}', now()),
  ('contact', 'th',
    '{"contactText": "ทีมงานดูแลคุณตลอด 24 ชั่วโมง ทุกวัน", '
    '"lineLink": "https://line.me/R/ti/p/%40krapao", "lineName": "@krapao"}', now()),
  ('contact', 'la',
    '{"contactText": "ທີມງານດູແລທ່ານຕະຫຼອດ 24 ຊົ່ວໂມງ ທຸກມື້", '
    '"lineLink": "https://line.me/R/ti/p/%40krapao", "lineName": "@krapao"}', now()),
  ('contact', 'en',
    '{"contactText": "Our team is here for you 24 hours, every day", '
    '"lineLink": "https://line.me/R/ti/p/%40krapao", "lineName": "@krapao"}', now()),
  ('conditions', 'th',
    '["<h3>การฝากเงิน</h3><p>โอนจากบัญชีที่ลงทะเบียนไว้เท่านั้น ยอดฝากเข้ากระเป๋าภายใน 1 นาที</p>", '
    '"<h3>การถอนเงิน</h3><p>เงินโอนเข้าบัญชีธนาคารที่ลงทะเบียนไว้ ครั้งละหนึ่งรายการ</p>", '
    '"<h3>การเล่นอย่างรับผิดชอบ</h3><p>เล่นเท่าที่เสียได้ หากต้องการพัก กรุณาติดต่อเจ้าหน้าที่</p>"]', now()),
  ('conditions', 'la',
    '["<h3>ການຝາກເງິນ</h3><p>ໂອນຈາກບັນຊີທີ່ລົງທະບຽນໄວ້ເທົ່ານັ້ນ. ຍອດຝາກເຂົ້າກະເປົາພາຍໃນ 1 ນາທີ</p>", '
    '"<h3>ການຖອນເງິນ</h3><p>ເງິນຈະໂອນເຂົ້າບັນຊີທະນາຄານທີ່ລົງທະບຽນໄວ້ ເທື່ອລະໜຶ່ງລາຍການ</p>", '
    '"<h3>ການຫຼິ້ນຢ່າງມີຄວາມຮັບຜິດຊອບ</h3>'
    '<p>ຫຼິ້ນພຽງເທົ່າທີ່ເສຍໄດ້. ຖ້າຕ້ອງການພັກ ກະລຸນາຕິດຕໍ່ພະນັກງານ</p>"]', now()),
  ('conditions', 'en',
    '["<h3>Deposits</h3>'
    '<p>Transfer from your registered account only. Deposits reach your wallet within 1 minute.</p>", '
    '"<h3>Withdrawals</h3>'
    '<p>Money is paid into your registered bank account, one withdrawal at a time.</p>", '
    '"<h3>Responsible play</h3>'
    '<p>Play only with what you can afford to lose. To take a break, contact support.</p>"]', now()),
  ('agreements', 'th',
    '["<h3>ข้อกำหนดการใช้งาน</h3>'
    '<p>สมาชิกหนึ่งคนมีได้หนึ่งบัญชี ใช้เบอร์โทรศัพท์และบัญชีธนาคารของตนเอง</p>", '
    '"<h3>ข้อมูลส่วนบุคคล</h3>'
    '<p>เราใช้ข้อมูลของคุณเพื่อให้บริการ ตรวจสอบการโอนเงิน และป้องกันการทุจริตเท่านั้น</p>"]', now()),
  ('agreements', 'la',
    '["<h3>ຂໍ້ກຳນົດການໃຊ້ງານ</h3>'
    '<p>ສະມາຊິກໜຶ່ງຄົນມີໄດ້ໜຶ່ງບັນຊີ. ໃຊ້ເບີໂທລະສັບ ແລະ ບັນຊີທະນາຄານຂອງຕົນເອງ</p>", '
    '"<h3>ຂໍ້ມູນສ່ວນຕົວ</h3>'
    '<p>ພວກເຮົາໃຊ້ຂໍ້ມູນຂອງທ່ານເພື່ອໃຫ້ບໍລິການ, ກວດສອບການໂອນເງິນ ແລະ ປ້ອງກັນການສໍ້ໂກງເທົ່ານັ້ນ</p>"]', now()),
  ('agreements', 'en',
    '["<h3>Terms of use</h3>'
    '<p>One member has one account, with a phone number and a bank account of their own.</p>", '
    '"<h3>Personal data</h3>'
    '<p>We use your data to serve you, to check transfers and to prevent fraud, and for nothing else.</p>"]', now()),
  ('notice', 'th', '"จบโบนัสได้เมื่อยอดเหลือไม่เกิน {percentFail}%"', now()),
  ('notice', 'la', '"ຈົບໂບນັດໄດ້ເມື່ອຍອດເຫຼືອບໍ່ເກີນ {percentFail}%"', now()),
  ('notice', 'en', '"The bonus can end when the balance falls to {percentFail}% or below."', now());

insert into content (key, language, body, updated_at) values
  ('help', 'th',
    '["<h3>หยุดเล่นยากใช่ไหม</h3>'
    '<p>สายด่วนสุขภาพจิต <a href=\"tel:1323\">1323</a> ให้คำปรึกษาเรื่องการพนัน โทรฟรีตลอด 24 ชั่วโมง</p>"]', now()),
  ('help', 'la',
    '["<h3>ຢຸດຫຼິ້ນຍາກບໍ?</h3>'
    '<p>ພັກການຫຼິ້ນໄດ້ທຸກເວລາ ແລະ ລົມກັບພະນັກງານຂອງພວກເຮົາໄດ້ຕະຫຼອດ 24 ຊົ່ວໂມງ</p>"]', now()),
  ('help', 'en',
    '["<h3>Hard to stop?</h3>'
    '<p>In Thailand the mental health hotline <a href=\"tel:1323\">1323</a> helps with gambling, free of '
    'charge, day and night.</p>"]', now())
  on conflict do nothing;

insert into content_revision (key, revision, words, published_by, published_at)
  select key, 1, jsonb_object_agg(language, body), 'system', max(updated_at) from content group by key;

insert into howto_guide (name, position) values
  ('wallet', 1), ('enter-game', 2), ('check-balance', 3), ('receive-bonus', 4), ('end-bonus', 5);
