/**
 * Banks the sandbox knows: short code, Bank of Thailand code (absent for Lao banks), names and how many digits an
 * account number has. BOT codes as several public slip clients list them; lengths after bank-account-formatter
 * (MIT). Lao banks publish no length rule, so 8–20 digits pass.
 */
export interface Bank {
  code: string;
  bot?: string;
  nameTh: string;
  nameEn: string;
  digits: readonly number[];
  color: string;
}

const thai = (
  code: string,
  bot: string,
  nameTh: string,
  nameEn: string,
  color: string,
  ...digits: number[]
): Bank => ({
  code,
  bot,
  nameTh,
  nameEn,
  color,
  digits: digits.length ? digits : [10],
});

const LAO_DIGITS = Array.from({ length: 13 }, (_, index) => index + 8);
const lao = (code: string, name: string, nameEn: string): Bank => ({
  code,
  nameTh: name,
  nameEn,
  digits: LAO_DIGITS,
  color: '#4C5D57',
});

/** The mobile wallet: its account numbers are phone numbers. */
export const MOBILE_WALLET: Bank = {
  code: 'TRUEMONEY',
  nameTh: 'ทรูมันนี่ วอลเล็ท',
  nameEn: 'TrueMoney Wallet',
  digits: [10],
  color: '#C2410C',
};

export const BANKS: readonly Bank[] = [
  thai('KBANK', '004', 'ธนาคารกสิกรไทย', 'Kasikornbank', '#0E7A25'),
  thai('KTB', '006', 'ธนาคารกรุงไทย', 'Krungthai Bank', '#0B74A8'),
  thai('SCB', '014', 'ธนาคารไทยพาณิชย์', 'Siam Commercial Bank', '#4E2E7F'),
  thai('BBL', '002', 'ธนาคารกรุงเทพ', 'Bangkok Bank', '#1E4598'),
  thai('BAY', '025', 'ธนาคารกรุงศรีอยุธยา', 'Bank of Ayudhya (Krungsri)', '#8A6116'),
  thai('TMB', '011', 'ธนาคารทหารไทยธนชาต', 'TMBThanachart Bank (ttb)', '#0F64A0'),
  thai('GSB', '030', 'ธนาคารออมสิน', 'Government Savings Bank', '#B5126F', 12),
  thai('BAAC', '034', 'ธ.ก.ส.', 'Bank for Agriculture (BAAC)', '#3C7A17', 12),
  thai('GHB', '033', 'ธนาคารอาคารสงเคราะห์', 'Government Housing Bank', '#B2560D', 12),
  thai('UOB', '024', 'ธนาคารยูโอบี', 'United Overseas Bank (Thai)', '#0B3979'),
  thai('CIMB', '022', 'ธนาคารซีไอเอ็มบี ไทย', 'CIMB Thai Bank', '#7E2F36'),
  thai('LHB', '073', 'ธนาคารแลนด์ แอนด์ เฮ้าส์', 'Land and Houses Bank', '#55565A'),
  thai('TISCO', '067', 'ธนาคารทิสโก้', 'TISCO Bank', '#1F5673', 14),
  thai('KKP', '069', 'ธนาคารเกียรตินาคินภัทร', 'Kiatnakin Phatra Bank', '#136C91', 10, 14),
  thai('ICBC', '070', 'ธนาคารไอซีบีซี (ไทย)', 'ICBC (Thai)', '#B50F1A'),
  thai('IBANK', '066', 'ธนาคารอิสลามแห่งประเทศไทย', 'Islamic Bank of Thailand', '#17663C'),
  thai('TCRB', '071', 'ธนาคารไทยเครดิต', 'Thai Credit Bank', '#A3261C', 10, 11, 12, 13, 14, 15),
  thai('SME', '098', 'ธพว.', 'SME Development Bank', '#1F5673', 10, 11, 12, 13, 14, 15),
  thai('EXIM', '035', 'ธสน.', 'Export-Import Bank of Thailand', '#4C5D57', 10, 11, 12, 13, 14, 15),
  thai('CITI', '017', 'ธนาคารซิตี้แบงก์', 'Citibank', '#1F5673'),
  thai('TBANK', '065', 'ธนาคารธนชาต', 'Thanachart Bank', '#B5430F'),
  MOBILE_WALLET,
  lao('BCEL', 'ທະນາຄານການຄ້າຕ່າງປະເທດລາວ', 'BCEL'),
  lao('LDB', 'ທະນາຄານພັດທະນາລາວ', 'Lao Development Bank'),
  lao('APB', 'ທະນາຄານສົ່ງເສີມກະສິກຳ', 'Agricultural Promotion Bank'),
  lao('JDB', 'ທະນາຄານຮ່ວມພັດທະນາ', 'Joint Development Bank'),
  lao('LVB', 'ທະນາຄານຮ່ວມທຸລະກິດ ລາວ-ຫວຽດ', 'Lao-Viet Joint Venture Bank'),
  lao('STB', 'ທະນາຄານເອັສທີ', 'ST Bank'),
  lao('BIC', 'ທະນາຄານບີໄອຊີ ລາວ', 'BIC Bank Lao'),
  lao('IB', 'ທະນາຄານອິນໂດຈີນ', 'Indochina Bank'),
  lao('PSV', 'ທະນາຄານພົງສະຫວັນ', 'Phongsavanh Bank'),
  lao('BFL', 'ທະນາຄານຝຣັ່ງລາວ', 'Banque Franco-Lao'),
  lao('MJBL', 'ທະນາຄານມາຣູຮານເຈແປນ ລາວ', 'Maruhan Japan Bank Lao'),
  lao('ACLEDA', 'ທະນາຄານອາຊີລີດາ ລາວ', 'ACLEDA Bank Lao'),
  lao('VTB', 'ທະນາຄານຫວຽດຕິນ ລາວ', 'VietinBank Lao'),
  lao('SACOM', 'ທະນາຄານໄຊງ່ອນເທືອງຕິ່ນ ລາວ', 'Sacombank Lao'),
  lao('KBANKLA', 'ທະນາຄານກະສິກອນໄທ', 'Kasikornthai Bank (Laos)'),
];

/** A bank by short code or three-digit BOT code, or undefined. TTB is today's name of TMB. */
export function findBank(code: string): Bank | undefined {
  const wanted = code.toUpperCase() === 'TTB' ? 'TMB' : code.toUpperCase();
  return BANKS.find((bank) => bank.code === wanted || bank.bot === wanted);
}

/** Whether a number could be an account at this bank: digits only, a length it uses, not one digit repeated. */
export const isPlausibleAccount = (bank: Bank, accountNo: string): boolean =>
  /^\d+$/.test(accountNo) && bank.digits.includes(accountNo.length) && !/^(\d)\1*$/.test(accountNo);

/** Digits in groups for reading: 3-3-rest for ten digits, else by fours. */
export function groupAccount(accountNo: string): string {
  const groups =
    accountNo.length === 10
      ? /^(\d{3})(\d{3})(\d{4})$/.exec(accountNo)?.slice(1)
      : accountNo.match(/\d{1,4}/g);
  return groups?.join('-') ?? accountNo;
}
