import { findUtf8Fault } from './utf8-fault.ts';

test.each([
  ['ab', [0xff], 2],
  ['é😀', [0xc3], 3],
  ['a\ufffdb', [0xed, 0xa0, 0x80], 3],
  ['', [0x80], 0],
  ['\ufffd'.repeat(300_000), [0xfe], 300_000],
])('the fault after %j', (start, wrong, expected) => {
  const bytes = Buffer.concat([Buffer.from(start), Buffer.from(wrong), Buffer.from('rest')]);
  expect(findUtf8Fault(bytes)).toBe(expected);
});

test('there is no fault in UTF-8', () => {
  expect(findUtf8Fault(Buffer.from('a\ufffd😀'))).toBe(4);
  expect(findUtf8Fault(Buffer.from('😀\ufffd'.repeat(5_000)))).toBe(15_000);
});

test('a fault is found at each place around a step, whatever characters are about it', () => {
  const faults = [
    [0xff],
    [0x80, 0x80, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
    [0xf0, 0x9f, 0x98],
    [0xed, 0xa0, 0x80],
  ];
  for (const character of ['x', 'é', '€', '😀']) {
    for (let offset = 4_080; offset <= 4_104; offset += 1) {
      for (const fault of faults) {
        const before =
          'x'.repeat(offset % 4) + character.repeat(Math.floor(offset / Buffer.byteLength(character)));
        for (const after of ['', 'rest', '€'.repeat(3_000)]) {
          const bytes = Buffer.concat([Buffer.from(before), Buffer.from(fault), Buffer.from(after)]);
          expect(findUtf8Fault(bytes)).toBe(before.length);
        }
      }
    }
  }
});

test('a fault at the end of the largest body is found in one pass, whatever is before it', () => {
  const bytes = Buffer.concat([Buffer.from('\ufffd'.repeat(349_000)), Buffer.from([0xff])]);
  expect(findUtf8Fault(bytes)).toBe(349_000);
});
