import { expect, test } from 'vitest';
import { membersIn } from './members-in.ts';

test('takes the first field of each line, without headings, marks of spreadsheets and empty lines', () => {
  expect(
    membersIn('\uFEFFphone,name\r\n0812345678,สมชาย\r\n\r\n="0898765432";x\n 100002 \n\'0811111111'),
  ).toEqual(['0812345678', '0898765432', '100002', '0811111111']);
  expect(membersIn(Array.from({ length: 1200 }, (_, i) => i).join('\n'))).toHaveLength(1000);
});
