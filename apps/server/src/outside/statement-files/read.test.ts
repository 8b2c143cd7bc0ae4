import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FILE_LINES_MAX, TooManyLines, UnreadableStatement, wholeDays } from './format.ts';
import { readStatementFile } from './read.ts';

const read = (text: string | Uint8Array, decimals = 2) =>
  readStatementFile(typeof text === 'string' ? Buffer.from(text) : text, decimals);
const only = (text: string | Uint8Array) => {
  const { format, statements } = read(text);
  expect(statements).toHaveLength(1);
  return { format, ...statements[0]! };
};
const shortOf = ({ lines }: ReturnType<typeof only>) =>
  lines.map(({ day, direction, amountMinor, reference }) =>
    [day, direction, amountMinor, reference].join(' '),
  );
const daysOf = ({ period }: ReturnType<typeof only>) => period && wholeDays(period);
const lineOfFault = (text: string): number => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UnreadableStatement) return error.line;
    throw error;
  }
  throw new Error('the file was read');
};

test('CSV: columns by their headings in three languages, rows of the bank’s own above and below', () => {
  const english = only(
    'Account,222-333-4445\n\nDate,Time,Debit,Credit,Reference,Counterparty account\n' +
      '05/01/2026,09:30,,"1,500.00",T1,123-4-56789-0\n2026-01-06,23:59:01,20.50,,T2,\n,,20.50,1500.00,,\n',
  );
  expect(shortOf(english)).toEqual(['2026-01-05 IN 150000 T1', '2026-01-06 OUT 2050 T2']);
  expect(english).toMatchObject({
    format: 'csv',
    account: null,
  });
  expect(daysOf(english)).toEqual({ from: '2026-01-05', to: '2026-01-06' });
  expect(english.lines[0]).toMatchObject({
    at: new Date('2026-01-05T02:30:00.000Z'),
    until: new Date('2026-01-05T02:30:59.999Z'),
    account: '123-4-56789-0',
  });
  expect(english.lines[1]).toMatchObject({ at: new Date('2026-01-06T16:59:01.000Z') });
  const thai = only('วันที่;เวลา;ถอนเงิน;ฝากเงิน;เลขที่อ้างอิง\n5/1/2569;;0.00;99.00;ก1\n');
  expect(shortOf(thai)).toEqual(['2026-01-05 IN 9900 ก1']);
  expect(thai.lines[0]).toMatchObject({
    at: new Date('2026-01-04T17:00:00.000Z'),
    until: new Date('2026-01-05T16:59:59.999Z'),
  });
  const lao = only('ວັນທີ\tຈຳນວນເງິນ\n05-01-2026\t-250.00\n');
  expect(shortOf(lao)).toEqual(['2026-01-05 OUT 25000 -']);
});

test('wrong sign: a negative credit is money out, a debit is so with and without a sign', () => {
  const file = 'Date,Debit,Credit\n05/01/2026,,-100.00\n05/01/2026,-20.50,\n05/01/2026,20.50,\n';
  expect(shortOf(only(file))).toEqual([
    '2026-01-05 OUT 10000 -',
    '2026-01-05 OUT 2050 -',
    '2026-01-05 OUT 2050 -',
  ]);
});

test('wrong sign: an amount is money out where a column of its own says debit', () => {
  const file = (...cells: string[]) =>
    `Date,Amount,Dr/Cr\n${cells.map((cell) => `05/01/2026,${cell}`).join('\n')}\n`;
  expect(shortOf(only(file('100.00,DR', '200.00,CR', '-5.00,Credit', '7.00,d')))).toEqual([
    '2026-01-05 OUT 10000 -',
    '2026-01-05 IN 20000 -',
    '2026-01-05 OUT 500 -',
    '2026-01-05 OUT 700 -',
  ]);
  expect(shortOf(only(file('1.00,Dr.', '2.00,เครดิต', '3.00,ถอนเงิน')))).toEqual([
    '2026-01-05 OUT 100 -',
    '2026-01-05 IN 200 -',
    '2026-01-05 OUT 300 -',
  ]);
  expect(lineOfFault(file('100.00,DR', '200.00,X'))).toBe(3);
});

test('CSV: the code page of Thai Windows is read', () => {
  // "วันที่,จำนวนเงิน" in windows-874.
  const bytes = [...'วันที่,จำนวนเงิน'].map((sign) =>
    sign === ',' ? 0x2c : (sign.codePointAt(0) ?? 0) - 0x0e00 + 0xa0,
  );
  expect(shortOf(only(Buffer.concat([Buffer.from(bytes), Buffer.from('\n05/01/2026,10.00\n')])))).toEqual([
    '2026-01-05 IN 1000 -',
  ]);
});

const MT940 = `{1:F01SICOTHBKXXXX0000000000}{2:I940SICOTHBKXXXXN}{4:
:20:STMT1
:25:004/222-3-33444-5
:28C:1/1
:60F:C251230THB1000,00
:61:2512310101CR150,50NTRFWD123//BANK77
JOHN DOE
:86:transfer
 from a friend
:61:260102D20,NCHGNONREF//B78
:61:260102RC30,5NTRFX1
:62F:C260102THB1100,00
-}`;

test('MT940: marks, reversals, the year of the entry date, balances', () => {
  const found = only(MT940);
  expect(shortOf(found)).toEqual([
    '2026-01-01 IN 15050 BANK77',
    '2026-01-02 OUT 2000 B78',
    '2026-01-02 OUT 3050 X1',
  ]);
  expect(found).toMatchObject({
    format: 'mt940',
    account: '004/222-3-33444-5',
    currency: 'THB',
    balances: { openingMinor: 100_000n, closingMinor: 110_000n },
  });
  // The opening balance is that of the end of 30 December.
  expect(daysOf(found)).toEqual({ from: '2025-12-31', to: '2026-01-02' });
  expect(found.lines.map(({ ours }) => ours)).toEqual(['WD123', null, 'X1']);
});

const BOUNDS = ['2026-01-01T00:00:00', '2026-01-03T00:00:00'];
const camt = (entries: string, more = '', [from, to] = BOUNDS) => `<?xml version="1.0"?>
<d:Document xmlns:d="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><d:BkToCstmrStmt><d:Stmt>
${from && `<d:FrToDt><d:FrDtTm>${from}</d:FrDtTm><d:ToDtTm>${to}</d:ToDtTm></d:FrToDt>`}
<d:Acct><d:Id><d:Othr><d:Id>2223334445</d:Id></d:Othr></d:Id><d:Ccy>THB</d:Ccy></d:Acct>${more}${entries}
</d:Stmt></d:BkToCstmrStmt></d:Document>`;
const entry = (amount: string, mark: string, rest = '', status = '<d:Cd>BOOK</d:Cd>') =>
  `<d:Ntry><d:NtryRef>N1</d:NtryRef><d:Amt Ccy="THB">${amount}</d:Amt><d:CdtDbtInd>${mark}</d:CdtDbtInd><d:Sts>${status}</d:Sts><d:BookgDt><d:Dt>2026-01-02</d:Dt></d:BookgDt>${rest}</d:Ntry>`;

test('camt.053: booked entries, their parts, references of both sides, balances', () => {
  const details = (reference: string, amount: string) =>
    `<d:TxDtls><d:Refs><d:AcctSvcrRef>${reference}</d:AcctSvcrRef><d:EndToEndId>NOTPROVIDED</d:EndToEndId></d:Refs><d:Amt Ccy="THB">${amount}</d:Amt><d:RltdPties><d:DbtrAcct><d:Id><d:Othr><d:Id>1234567890</d:Id></d:Othr></d:Id></d:DbtrAcct></d:RltdPties></d:TxDtls>`;
  const balance = (code: string, amount: string) =>
    `<d:Bal><d:Tp><d:CdOrPrtry><d:Cd>${code}</d:Cd></d:CdOrPrtry></d:Tp><d:Amt Ccy="THB">${amount}</d:Amt><d:CdtDbtInd>CRDT</d:CdtDbtInd><d:Dt><d:Dt>2026-01-02</d:Dt></d:Dt></d:Bal>`;
  const found = only(
    camt(
      entry(
        '30.00',
        'CRDT',
        `<d:NtryDtls>${details('A&amp;1', '10.00')}${details('A2', '20.00')}</d:NtryDtls>`,
      ) +
        entry('5.00', 'DBIT', '', 'BOOK') +
        entry('7.00', 'CRDT', '', '<d:Cd>PDNG</d:Cd>'),
      balance('OPBD', '100.00') + balance('CLBD', '125.00'),
    ),
  );
  expect(shortOf(found)).toEqual([
    '2026-01-02 IN 1000 A&1',
    '2026-01-02 IN 2000 A2',
    '2026-01-02 OUT 500 N1',
  ]);
  expect(found).toMatchObject({
    format: 'camt.053',
    account: '2223334445',
    currency: 'THB',
    balances: { openingMinor: 10_000n, closingMinor: 12_500n },
  });
  expect(daysOf(found)).toEqual({ from: '2026-01-01', to: '2026-01-02' });
  expect(found.lines[0]).toMatchObject({ account: '1234567890', ours: null });
});

test.each([
  ['an end at midnight is excluded', '2026-01-01T00:00:00+07:00', '2026-01-03T00:00:00+07:00', '01 02'],
  ['an end in the last second is included', '2026-01-01T00:00:00', '2026-01-03T23:59:59.999', '01 03'],
  ['days without a time are included', '2026-01-01', '2026-01-03', '01 03'],
  ['one midnight for both is that day', '2026-01-02T00:00:00', '2026-01-02T00:00:00', '02 02'],
  ['midnights of Bangkok written in UTC', '2025-12-31T17:00:00Z', '2026-01-02T17:00:00Z', '01 02'],
  [
    'midnights of UTC: days covered in part are left out',
    '2026-01-01T00:00:00Z',
    '2026-01-04T00:00:00Z',
    '02 03',
  ],
  ['an entry outside claims no day', '2026-01-04', '2026-01-05', '04 05'],
  ['an end during a day leaves that day out', '2026-01-01T00:00:00', '2026-01-03T12:00:00', '01 02'],
])('camt.053: %s', (_what, from, to, days) => {
  const [first, last] = days.split(' ');
  const found = only(camt(entry('1.00', 'CRDT'), '', [from, to]));
  expect(daysOf(found)).toEqual({ from: `2026-01-${first}`, to: `2026-01-${last}` });
});

test('camt.053: a period that covers no day as a whole claims none', () => {
  const bounds = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
  expect(daysOf(only(camt(entry('1.00', 'CRDT'), '', bounds)))).toBeNull();
});

test('camt.053 without a period: from the balance before to the booked closing balance, no later one', () => {
  const balance = (code: string, day: string) =>
    `<d:Bal><d:Tp><d:CdOrPrtry><d:Cd>${code}</d:Cd></d:CdOrPrtry></d:Tp><d:Amt Ccy="THB">5.00</d:Amt><d:CdtDbtInd>CRDT</d:CdtDbtInd><d:Dt><d:Dt>${day}</d:Dt></d:Dt></d:Bal>`;
  const balances =
    balance('PRCD', '2025-12-31') + balance('CLBD', '2026-01-02') + balance('FWAV', '2026-01-05');
  expect(daysOf(only(camt('', balances, ['', ''])))).toEqual({ from: '2026-01-01', to: '2026-01-02' });
  expect(daysOf(only(camt(entry('1.00', 'CRDT'), '', ['', ''])))).toEqual({
    from: '2026-01-02',
    to: '2026-01-02',
  });
});

test('a file that does not fit its format is refused with the line', () => {
  expect(lineOfFault('Date,Amount\n2026-01-05,1.00\n31/02/2026,2.00\n')).toBe(3);
  expect(lineOfFault('Date,Amount\n2026-01-05,1.005\n')).toBe(2);
  expect(lineOfFault('Date,Debit,Credit\n2026-01-05,1.00,2.00\n')).toBe(2);
  expect(lineOfFault('Date,Amount\n2026-01-05,"1.00\n')).toBeGreaterThan(0);
  expect(lineOfFault('hello')).toBe(1);
  expect(lineOfFault('')).toBe(1);
  expect(lineOfFault(MT940.replace(':61:260102D20,', ':61:260102Z20,'))).toBe(10);
  expect(lineOfFault(MT940.replace(/:62F.*\n/, ''))).toBeGreaterThan(0);
  expect(lineOfFault('<Document><BkToCstmrStmt>')).toBe(1);
  expect(lineOfFault('<!DOCTYPE a [<!ENTITY b "c">]><Document/>')).toBe(1);
  expect(lineOfFault(camt(entry('1.00', 'CREDIT')))).toBe(1);
});

test('a file with more movements than allowed is refused', () => {
  const rows = '2026-01-05,1.00\n'.repeat(FILE_LINES_MAX + 1);
  expect(() => read(`Date,Amount\n${rows}`)).toThrow(TooManyLines);
});

test('CSV: a row with a date that only carries a balance forward is left out', () => {
  const file =
    'วันที่,ถอนเงิน,ฝากเงิน,ยอดคงเหลือ,รายการ\n04/01/2569,,,1000.00,ยอดยกมา\n' +
    '05/01/2569,,99.00,1099.00,ฝาก\n06/01/2569,0.00,-,1099.00,ยอดยกไป\n';
  expect(shortOf(only(file))).toEqual(['2026-01-05 IN 9900 -']);
  expect(shortOf(only('Date,Amount\n2026-01-04,\n2026-01-05,1.00\n'))).toEqual(['2026-01-05 IN 100 -']);
  expect(lineOfFault('Date,Debit,Credit\n2026-01-05,x,\n')).toBe(2);
});

test('CSV: a file that ends within a row, before its amounts, is refused', () => {
  const whole = 'Date,Time,Reference,Debit,Credit\n05/01/2026,14:00,A1,,99.00\n06/01/2026,14:05,A2,,5.00\n';
  expect(only(whole).lines).toHaveLength(2);
  for (const end of [',,5.00', ',5.00', '2,,5.00'])
    expect(lineOfFault(whole.slice(0, whole.lastIndexOf(end)))).toBe(3);
});

test('a CSV file is read to its end or refused, however many rows without a date it has', () => {
  const remarks = ',,a remark\n'.repeat(FILE_LINES_MAX + 300);
  const sound = `Date,Amount,Remark\n${remarks}2026-01-05,1.00,\n`;
  expect(shortOf(only(sound))).toEqual(['2026-01-05 IN 100 -']);
  expect(() => read(sound + remarks.repeat(3))).toThrow(TooManyLines);
});

test('whatever the bytes, a file is read or refused', () => {
  const pieces = fc.constantFrom(
    'Date,Amount\n',
    ':20:',
    ':61:',
    '<Stmt>',
    '2026-01-05',
    ',',
    '1.00',
    '\n',
    '"',
    '&',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces).map((some) => some.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        read(text);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableStatement);
      }
    }),
    { numRuns: 500 },
  );
});
