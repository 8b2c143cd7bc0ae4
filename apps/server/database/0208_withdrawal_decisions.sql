-- Keeps the decision about a withdrawal while it can be undone, and the reasons that rejected members read

-- A decision that is not carried out yet; its withdrawal stays in REVIEW until then. A server carries it out from
-- `effective_at` on, by the database's clock; once `taken_at` is set it can no longer be undone.
create table withdrawal_decision (
  withdrawal_id text primary key references withdrawal,
  kind text not null check (kind in ('APPROVE', 'REJECT')),
  -- The status to return to when the decision is undone.
  seen text not null check (seen in ('REVIEW', 'QUEUED')),
  reason text,
  -- What the member of a rejected withdrawal reads, by language.
  notice jsonb,
  actor text not null,
  -- Who may undo it; null for a decision of the command line.
  operator_id bigint references operator,
  -- The request that was approved by it.
  approval_id text references approval,
  effective_at timestamptz not null,
  taken_at timestamptz
);
create index withdrawal_decision_due on withdrawal_decision (effective_at);

-- What the member reads about a withdrawal that an operator rejected, by language.
create table withdrawal_rejection (
  withdrawal_id text primary key references withdrawal,
  notice jsonb not null
);

-- Reasons prepared for operators who reject a withdrawal, by language.
create table rejection_reason (
  code text primary key check (code ~ '^[a-z0-9-]{1,30}$'),
  notice jsonb not null,
  changed_by text not null,
  changed_at timestamptz not null
);
insert into rejection_reason (code, notice, changed_by, changed_at)
select r.code, jsonb_build_object('th', r.th, 'la', r.la, 'en', r.en), 'system', now()
from (values
  ('account-name',
    'ชื่อบัญชีธนาคารไม่ตรงกับชื่อที่ลงทะเบียนไว้ กรุณาเปลี่ยนเป็นบัญชีที่เป็นชื่อของคุณเอง แล้วทำรายการถอนใหม่',
    'ຊື່ບັນຊີທະນາຄານບໍ່ກົງກັບຊື່ທີ່ລົງທະບຽນໄວ້. ກະລຸນາປ່ຽນເປັນບັນຊີທີ່ເປັນຊື່ຂອງທ່ານເອງ ແລ້ວຖອນໃໝ່.',
    'The name on the bank account differs from the name you registered. '
      'Change to an account in your own name, then withdraw again.'),
  ('account-closed',
    'ธนาคารไม่รับโอนเข้าบัญชีนี้ กรุณาตรวจสอบกับธนาคารหรือเปลี่ยนบัญชี แล้วทำรายการถอนใหม่',
    'ທະນາຄານບໍ່ຮັບໂອນເຂົ້າບັນຊີນີ້. ກະລຸນາກວດສອບກັບທະນາຄານ ຫຼື ປ່ຽນບັນຊີ ແລ້ວຖອນໃໝ່.',
    'The bank does not accept transfers to this account. '
      'Check with your bank or change the account, then withdraw again.'),
  ('not-played',
    'ยอดฝากนี้ยังไม่ได้ใช้เล่น กรุณาเล่นให้ครบตามเงื่อนไขก่อน แล้วทำรายการถอนใหม่',
    'ຍອດຝາກນີ້ຍັງບໍ່ໄດ້ໃຊ້ຫຼິ້ນ. ກະລຸນາຫຼິ້ນໃຫ້ຄົບຕາມເງື່ອນໄຂກ່ອນ ແລ້ວຖອນໃໝ່.',
    'This deposit has not been played yet. Play as the terms require, then withdraw again.'),
  ('contact-us',
    'เราต้องยืนยันข้อมูลบางอย่างกับคุณก่อน กรุณาติดต่อเราทางแชต แล้วทำรายการถอนใหม่',
    'ພວກເຮົາຕ້ອງຢືນຢັນຂໍ້ມູນບາງຢ່າງກັບທ່ານກ່ອນ. ກະລຸນາຕິດຕໍ່ພວກເຮົາທາງແຊັດ ແລ້ວຖອນໃໝ່.',
    'We need to confirm some details with you first. Contact us in the chat, then withdraw again.'),
  ('member-asked',
    'ยกเลิกรายการถอนตามที่คุณแจ้ง คุณทำรายการถอนใหม่ได้ทุกเมื่อ',
    'ຍົກເລີກການຖອນຕາມທີ່ທ່ານແຈ້ງ. ທ່ານຖອນໃໝ່ໄດ້ທຸກເວລາ.',
    'Cancelled as you asked. You can withdraw again at any time.')
) r (code, th, la, en);

grant select, insert, update, delete on withdrawal_decision to krapao_app;
grant select on withdrawal_rejection to krapao_app;
grant select, insert, update, delete on rejection_reason to krapao_app;
