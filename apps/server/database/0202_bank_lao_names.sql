-- Names Thai banks in Lao

-- Null where Lao readers know a bank by its English name.
alter table bank add column name_lao text;

update bank set name_lao = name_local where variant = 'la';
update bank b set name_lao = n.name
from (values
  ('KBANK', 'ທະນາຄານກະສິກອນໄທ'),
  ('KTB', 'ທະນາຄານກຸງໄທ'),
  ('SCB', 'ທະນາຄານໄທພານິດ'),
  ('BBL', 'ທະນາຄານກຸງເທບ'),
  ('BAY', 'ທະນາຄານກຸງສີອະຍຸທະຍາ'),
  ('TMB', 'ທະນາຄານທະຫານໄທທະນະຊາດ'),
  ('GSB', 'ທະນາຄານອອມສິນ')
) n(code, name)
where b.code = n.code;
