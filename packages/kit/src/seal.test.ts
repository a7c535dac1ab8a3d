import { createSealer } from './seal.ts';

const sealer = createSealer('a key that is hard to guess', 'tests');

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
  expect(() => createSealer('another key', 'tests').open(sealed, 'webhook 1')).toThrow();
  expect(() => createSealer('a key that is hard to guess', 'else').open(sealed, 'webhook 1')).toThrow();
});

test('a change of any byte is noticed', () => {
  const sealed = sealer.seal('secret', 'a');
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => sealer.open(changed, 'a')).toThrow();
  }
});
