import { packText, unpackText } from './packed-text.ts';

test.each(['', 'a', '🙂\0\u2028', 'a'.repeat(1_000_000), JSON.stringify({ a: [1, { b: null }] })])(
  'a packed text is the same when it is unpacked',
  async (text) => {
    expect(await unpackText(await packText(text), 1_000_001)).toBe(text);
  },
);

test('a text that repeats itself is packed into a small part of its bytes', async () => {
  const people = Array.from({ length: 250 }, (_, n) => `svc:///identities/user-${n}`);
  const text = JSON.stringify(Object.fromEntries(people.map((id) => [id, 'sent'])));
  expect((await packText(text)).length).toBeLessThan(text.length / 5);
});

test('what is larger than it may be, cut or no packed text is refused', async () => {
  const packed = await packText('a'.repeat(1_000));
  await expect(unpackText(packed, 999)).rejects.toThrow();
  await expect(unpackText(packed.subarray(0, 5), 1_000)).rejects.toThrow();
  await expect(unpackText(Buffer.from([255, 255, 255]), 1_000)).rejects.toThrow();
});
