import { findUtf8Fault } from './utf8-fault.ts';

test.each([
  ['ab', [0xff], 2],
  ['é😀', [0xc3], 3],
  ['a\ufffdb', [0xed, 0xa0, 0x80], 3],
  ['', [0x80], 0],
  ['\ufffd'.repeat(300_000), [0xfe], 300_000],
])('the fault after %j', (start, wrong, expected) => {
  const bytes = Buffer.concat([Buffer.from(start), Buffer.from(wrong), Buffer.from('rest')]);
  expect(findUtf8Fault(bytes, bytes.toString())).toBe(expected);
});

test('there is no fault in UTF-8', () => {
  const bytes = Buffer.from('a\ufffd😀');
  expect(findUtf8Fault(bytes, bytes.toString())).toBe(4);
});
