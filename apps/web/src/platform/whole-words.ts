/**
 * Thai and Lao are written without spaces: browsers find the places for line breaks in a dictionary of their own, which
 * divides compounds and mistakes some words. The words in this list are never divided. A `+` stands where a browser's
 * dictionary divides a word and that of the build, by which the catalogues are marked, does not.
 */
import { type Language, languageTag } from '@krapao/contract/shared';

const WHOLE: Record<Language, readonly string[]> = {
  th: [
    'เจ้าหน้าที่',
    'เพื่อรับ',
    'ค่าใช้จ่าย',
    'ค่าธรรมเนียม',
    'ที่ผ่านมา',
    'ที่แล้ว',
    'ลองใหม่',
    'เข้าสู่ระบบ',
    'ออกจากระบบ',
    'เลขที่บัญชี',
    'เลขอ้างอิง',
    'รายละเอียด',
    'รายการ',
    'ลงทะเบียน',
    'หลักฐาน',
    'ผู้ให้บริการ',
    'ผู้แนะนำ',
    'ผู้ใช้',
    'ตอนนี้',
    'ขณะนี้',
    'วันนี้',
    'พรุ่งนี้',
    'ขั้นต่ำ',
    'ขั้นตอน',
    'หน้าหลัก',
    'เดิมพัน',
    'ตรวจสอบ',
    'ดำเนินการ',
    'เครือข่าย',
    'คัดลอก',
    'ทำรายการ',
    'คาสิโน',
    'แอดมิน',
    'กำลัง',
    'วอลเล็ต',
    'เมื่อ',
    'ยอด',
    'ยอดฝาก',
    'ยอดเงิน',
    'ความปลอดภัย',
    'โปรไฟล์',
    'อัปโหลด',
    'อัปเดต',
    'รีเฟรช',
    'เงื่อนไข',
    'เบอร์โทรศัพท์',
    'รหัสผ่าน',
    'วงล้อนำโชค',
    'ความคืบหน้า',
    'เทิร์น',
    'สมาชิก',
    'เป้าหมาย',
    'ประมาณ',
    'ต้องการ',
  ],
  la: [
    'ພະນັກງານ',
    'ແອັດມິນ',
    'ສະ+ລິບ',
    'ໂບນັດ',
    'ໂຫຼດ',
    'ອັບໂຫຼດ',
    'ໄດ້+ຮັບ',
    'ບໍ່ສຳເລັດ',
    'ບໍ່ເກີນ',
    'ຕ່ຳສຸດ',
    'ສູງສຸດ',
    'ຫຼ້າ+ສຸດ',
    'ອອກ+ຈາກລະບົບ',
    'ວິດີໂອ',
    'ກຳລັງ',
    'ລໍຖ້າ',
    'ເຂົ້າ+ສູ່ລະບົບ',
    'ລະຫັດຜ່ານ',
    'ເບີໂທລະສັບ',
    'ກຳນົດ',
    'ຂໍ້ກຳນົດ',
    'ເງື່ອນໄຂ',
    'ຕອນ+ນີ້',
    'ມື້+ນີ້',
    'ຊື່ຜູ້ໃຊ້',
    'ເລກບັນຊີ',
    'ເຊື່ອມຕໍ່',
    'ໂປຣໂມຊັນ',
    'ໂປຣໄຟລ໌',
    'ວົງ+ລໍ້ນຳໂຊກ',
    'ທະນາຄານ',
    'ກະເປົາ',
    'ຫຼັກຖານ',
    'ສະຖາ+ນະ',
    'ຍອດຝາກ',
    'ຍອດເງິນ',
  ],
  en: [],
};

/** No break here, and a break may stand here. */
const JOINER = '\u2060';
const BREAK_MARK = '\u200b';

interface Rule {
  phrases: RegExp;
  /** Where the phrases are held together whatever the dictionary says. */
  joints: ReadonlyMap<string, readonly number[]>;
  words: Intl.Segmenter;
}

/** The offsets of an entry's `+` in its phrase. */
const jointsOf = (entry: string): number[] =>
  [...entry.matchAll(/\+/g)].map(({ index }, before) => index - before);

const phraseOf = (entry: string): string => entry.replaceAll('+', '');

/**
 * Longer phrases first, so that a compound wins over its parts. Undefined where there is nothing to hold, and in browsers
 * that cannot divide words: texts stay as written there.
 */
const ruleOf = (language: Language): Rule | undefined =>
  WHOLE[language].length === 0 || !('Segmenter' in Intl)
    ? undefined
    : {
        phrases: new RegExp(
          WHOLE[language]
            .map(phraseOf)
            .sort((one, other) => other.length - one.length)
            .join('|'),
          'gu',
        ),
        joints: new Map(WHOLE[language].map((entry) => [phraseOf(entry), jointsOf(entry)])),
        words: new Intl.Segmenter(languageTag(language), { granularity: 'word' }),
      };

const rules = new Map<Language, Rule | undefined>();

/** A language's rule, made when its first text is held: a segmenter loads its dictionary, and a page needs one language. */
function ruleFor(language: Language): Rule | undefined {
  if (!rules.has(language)) rules.set(language, ruleOf(language));
  return rules.get(language);
}

const SCRIPT = /[\u0e00-\u0eff]/;

/** Both ends of a range stay on one line: a browser would break after the dash. */
const holdRanges = (text: string): string => text.replace(/\}–(?=\{)/g, `}–${JOINER}`);

/**
 * A text with its words and ranges held together: joiners within them, breaks at their ends where the dictionary sees
 * none.
 */
export function holdWords(written: string, language: Language): string {
  const text = holdRanges(written);
  const rule = ruleFor(language);
  if (!rule) return text;
  const edges = new Set([...rule.words.segment(text)].map(({ index }) => index));
  const marks = new Map<number, string>();
  for (const { index, 0: phrase } of text.matchAll(rule.phrases)) {
    const end = index + phrase.length;
    for (const edge of edges) if (edge > index && edge < end) marks.set(edge, JOINER);
    for (const joint of rule.joints.get(phrase)!) marks.set(index + joint, JOINER);
    for (const edge of [index, end])
      if (!edges.has(edge) && SCRIPT.test(text[edge - 1] ?? '') && SCRIPT.test(text[edge] ?? ''))
        marks.set(edge, BREAK_MARK);
  }
  return text.replace(/[\s\S]/g, (sign, index: number) => (marks.get(index) ?? '') + sign);
}
