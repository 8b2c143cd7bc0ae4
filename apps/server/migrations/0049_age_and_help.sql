-- The least age a member confirmed when he registered, as the form showed it then; null: he was not asked.
alter table member
  add column age_confirmed smallint check (age_confirmed between 1 and 150),
  add column age_confirmed_at timestamptz;

-- Where help is to be had for whoever plays more than is good for him; operators write it.
insert into content (key, language, body, updated_at) values
  ('help', 'th', '["<h3>หยุดเล่นยากใช่ไหม</h3><p>สายด่วนสุขภาพจิต <a href=\"tel:1323\">1323</a> ให้คำปรึกษาเรื่องการพนัน โทรฟรีตลอด 24 ชั่วโมง</p>"]', now()),
  ('help', 'la', '["<h3>ຢຸດຫຼິ້ນຍາກບໍ?</h3><p>ພັກການຫຼິ້ນໄດ້ທຸກເວລາ ແລະ ລົມກັບພະນັກງານຂອງພວກເຮົາໄດ້ຕະຫຼອດ 24 ຊົ່ວໂມງ</p>"]', now()),
  ('help', 'en', '["<h3>Hard to stop?</h3><p>In Thailand the mental health hotline <a href=\"tel:1323\">1323</a> helps with gambling, free of charge, day and night.</p>"]', now())
  on conflict do nothing;
insert into content_revision (key, revision, words, published_by, published_at)
  select key, 1, jsonb_object_agg(language, body), 'system', max(updated_at) from content where key = 'help' group by key
  on conflict do nothing;
