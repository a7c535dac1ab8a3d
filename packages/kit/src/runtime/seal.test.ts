import { createSealer } from './seal.ts';

const KEY = 'a key that is hard to guess';
const OTHER = 'another key';
const sealer = createSealer([KEY], 'tests');

test('a sealed value can be opened and is not readable', () => {
  const sealed = sealer.seal('sécret', 'webhook 1');
  expect(sealed.includes('sécret')).toBe(false);
  expect(sealer.open(sealed, 'webhook 1')).toBe('sécret');
});

test('sealing the same value twice gives different results', () => {
  expect(sealer.seal('secret', 'a').equals(sealer.seal('secret', 'a'))).toBe(false);
});

test('it opens neither in another context, nor with another key, nor for another purpose', () => {
  const sealed = sealer.seal('secret', 'webhook 1');
  expect(() => sealer.open(sealed, 'webhook 2')).toThrow();
  expect(() => createSealer([OTHER], 'tests').open(sealed, 'webhook 1')).toThrow();
  expect(() => createSealer([KEY], 'else').open(sealed, 'webhook 1')).toThrow();
});

test('a change of any byte is noticed', () => {
  const sealed = sealer.seal('secret', 'a');
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'a')).toThrow();
  }
});

describe('while a key is replaced', () => {
  const before = createSealer([KEY, OTHER], 'tests');
  const after = createSealer([OTHER, KEY], 'tests');

  test('both sides open what either key sealed, with or without its id', () => {
    const texts = [sealer, before, after, createSealer([OTHER], 'tests')].map((one) => one.seal('text', 'a'));
    for (const side of [before, after])
      expect(texts.map((text) => side.open(text, 'a'))).toEqual(texts.map(() => 'text'));
  });

  test('what is sealed says with which key', () => {
    const isOf = ({ head }: { head: Buffer }, sealed: Buffer) => sealed.subarray(0, head.length).equals(head);
    expect(isOf(after, after.seal('text', 'a'))).toBe(true);
    expect([sealer, before].map((one) => isOf(after, one.seal('text', 'a')))).toEqual([false, false]);
    expect(() => sealer.open(after.seal('text', 'a'), 'a')).toThrow(
      /the key [0-9a-f]{12}, which is not known/,
    );
    expect(sealer.open(before.seal('text', 'a'), 'a')).toBe('text');
  });

  test('a change of any byte is noticed', () => {
    const sealed = after.seal('secret', 'a');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => after.open(changed, 'a')).toThrow();
    }
  });
});

test('a single key is named where it is asked for, and opens what it sealed without its name', () => {
  const naming = createSealer([KEY], 'tests', { namesKey: true });
  expect(naming.head).toHaveLength(7);
  expect(naming.open(naming.seal('text', 'a'), 'a')).toBe('text');
  expect(naming.open(sealer.seal('text', 'a'), 'a')).toBe('text');
  expect(() => createSealer([OTHER], 'tests').open(naming.seal('text', 'a'), 'a')).toThrow(/is not known/);
});
