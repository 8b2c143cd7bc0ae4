import type { SentReport } from '@krapao/contract/operator';
import type { Language, LocalizedText } from '@krapao/contract/shared';

const NAMES: Record<SentReport, LocalizedText> = {
  cash: { th: 'เงินเข้าออกรายวัน', la: 'ເງິນເຂົ້າອອກລາຍວັນ', en: 'Daily cash' },
  channels: { th: 'ยอดฝากตามช่องทาง', la: 'ຍອດຝາກຕາມຊ່ອງທາງ', en: 'Deposits by channel' },
  hours: { th: 'ยอดฝากตามชั่วโมง', la: 'ຍອດຝາກຕາມຊົ່ວໂມງ', en: 'Deposits by hour' },
  liabilities: { th: 'ยอดของสมาชิก', la: 'ຍອດຂອງສະມາຊິກ', en: 'Owed to members' },
  waiting: { th: 'เวลารอถอน', la: 'ເວລາລໍຖ້າຖອນ', en: 'Withdrawal times' },
  games: { th: 'ผลได้เสียตามเกม', la: 'ຜົນໄດ້ເສຍຕາມເກມ', en: 'Results by game' },
  sources: { th: 'แหล่งที่มาของสมาชิก', la: 'ແຫຼ່ງທີ່ມາຂອງສະມາຊິກ', en: 'Sources of members' },
  retention: { th: 'การกลับมาของสมาชิก', la: 'ການກັບມາຂອງສະມາຊິກ', en: 'Retention' },
  costs: { th: 'ต้นทุนโปรโมชัน', la: 'ຕົ້ນທຶນໂປຣໂມຊັນ', en: 'Promotion costs' },
  agents: { th: 'งานของเจ้าหน้าที่', la: 'ວຽກຂອງພະນັກງານ', en: 'Work of operators' },
};

const BODY: LocalizedText = {
  th: 'รายงานอยู่ในไฟล์แนบ วันและเวลาเป็นเวลากรุงเทพฯ\nตั้งค่าหรือยกเลิกได้ในคอนโซล หน้า “รายงาน”',
  la: 'ລາຍງານຢູ່ໃນໄຟລ໌ແນບ. ມື້ ແລະ ເວລາເປັນເວລາບາງກອກ.\nຕັ້ງຄ່າ ຫຼື ຍົກເລີກໄດ້ໃນຄອນໂຊນ ໜ້າ “ລາຍງານ”',
  en: 'The report is attached. Days and times are those of Bangkok.\nChange or remove it in the console, on the page “Reports”.',
};

const shown = (day: string): string => day.split('-').toReversed().join('/');

/** Returns subject and text of the mail with a report. */
export function mailTexts(report: SentReport, language: Language, days: { from: string; to: string }) {
  const span = days.from === days.to ? shown(days.to) : `${shown(days.from)}–${shown(days.to)}`;
  return { subject: `${NAMES[report][language]} ${span}`, text: BODY[language] };
}
