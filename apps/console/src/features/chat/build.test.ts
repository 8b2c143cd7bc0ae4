import { expect, test } from 'vitest';
import { wiredOf } from './build.ts';
import type { ChatButton } from './types.ts';

const texts = { message: ' เลือกได้เลยค่ะ ', subtitle: ' ตรวจสอบแล้ว ', picture: '/api/file/x' };
const button = (type: ChatButton['type'], payload: string): ChatButton => ({ title: 'กด', type, payload });

test('builds every kind in the wire format', () => {
  const buttons = [button('web', ' /user/statement '), button('call', '02 123 4567'), button('other', 'x')];
  const wired = buttons.map((one, at) => ({
    ...one,
    payload: ['/user/statement', 'tel:021234567', 'x'][at],
  }));
  expect(wiredOf('buttons', texts, buttons)).toEqual({
    message_type: 'buttons',
    payload: { message: 'เลือกได้เลยค่ะ', buttons: wired },
  });
  expect(wiredOf('generic', texts, buttons)).toEqual({
    message_type: 'generic',
    payloads: [{ image_url: '/api/file/x', title: 'เลือกได้เลยค่ะ', subtitle: 'ตรวจสอบแล้ว', buttons: wired }],
  });
  expect(wiredOf('quick_replies', texts, [button('web', '')])).toEqual({
    message_type: 'quick_replies',
    payload: { message: 'เลือกได้เลยค่ะ', buttons: [button('postback', 'กด')] },
  });
  expect(wiredOf('generic', texts, [])).toMatchObject({ payloads: [{ buttons: [] }] });
});

test('what lacks words or buttons, and a button that could run or leads nowhere, is not sent', () => {
  expect(wiredOf('buttons', texts, [])).toBeNull();
  expect(wiredOf('buttons', { ...texts, message: '  ' }, [button('other', '')])).toBeNull();
  expect(wiredOf('generic', texts, [{ ...button('other', ''), title: ' ' }])).toBeNull();
  for (const link of [
    '',
    'javascript:alert(1)',
    '//evil.example',
    'http://plain.example',
    'data:text/html,x',
  ])
    for (const type of ['web', 'call'] as const)
      expect(wiredOf('generic', texts, [button(type, link)]), `${type} ${link}`).toBeNull();
});
