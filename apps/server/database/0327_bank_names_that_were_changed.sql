-- Shows Lao readers the names that operators have given banks since their Lao names were written

update bank set name_lao = name_local where variant = 'la' and name_lao is distinct from name_local;

update bank b set name_lao = null
from (values
  ('KBANK', 'ธนาคารกสิกรไทย'),
  ('KTB', 'ธนาคารกรุงไทย'),
  ('SCB', 'ธนาคารไทยพาณิชย์'),
  ('BBL', 'ธนาคารกรุงเทพ'),
  ('BAY', 'ธนาคารกรุงศรีอยุธยา'),
  ('TMB', 'ธนาคารทหารไทยธนชาต'),
  ('GSB', 'ธนาคารออมสิน')
) n(code, name)
where b.code = n.code and b.name_local <> n.name;
