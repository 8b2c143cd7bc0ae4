import type { Language } from '@krapao/contract/shared';

/** The automatic message while no agent is available. */
export const AWAY_TEXTS: Record<Language, string> = {
  th: 'ขณะนี้อยู่นอกเวลาทำการ เราได้รับข้อความของคุณแล้ว และจะตอบทันทีที่เจ้าหน้าที่กลับมา',
  la: 'ຕອນນີ້ຢູ່ນອກເວລາເຮັດວຽກ. ພວກເຮົາໄດ້ຮັບຂໍ້ຄວາມຂອງທ່ານແລ້ວ ແລະ ຈະຕອບທັນທີທີ່ພະນັກງານກັບມາ',
  en: 'We’re away right now. We’ve received your message and will reply as soon as our team is back.',
};

const QUESTION: Record<Language, string> = {
  th: 'คุณพอใจกับการช่วยเหลือครั้งนี้เพียงใด',
  la: 'ທ່ານພໍໃຈກັບການຊ່ວຍເຫຼືອຄັ້ງນີ້ພຽງໃດ',
  en: 'How did we do this time?',
};

const BEST = 5;
const RATING = /^RATE:(\d{1,18}):([1-5])$/;

/** Requests a rating of a session, in one tap. */
export const ratingQuestion = (sessionId: bigint, language: Language) => ({
  message_type: 'quick_replies',
  payload: {
    message: QUESTION[language],
    buttons: Array.from({ length: BEST }, (_, index) => ({
      title: '★'.repeat(BEST - index),
      type: 'postback',
      payload: `RATE:${sessionId}:${BEST - index}`,
    })),
  },
});

/** The session and rating of a customer's button press; null for any other message. */
export function ratingOf(message: { message_type: string; payload?: unknown }): {
  sessionId: bigint;
  rating: number;
} | null {
  if (message.message_type !== 'postback') return null;
  const match = RATING.exec((message.payload as { message: string }).message);
  return match && { sessionId: BigInt(match[1]!), rating: Number(match[2]) };
}
