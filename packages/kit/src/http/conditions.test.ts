import { conditionOf } from './conditions.ts';

test.each([
  ['"a"', 'unchanged'],
  ['W/"a"', 'unchanged'],
  ['*', 'unchanged'],
  [' * ', 'unchanged'],
  ['"b", "a"', 'unchanged'],
  ['"b,\'c" ,W/"a"', 'unchanged'],
  [',,"a",', 'unchanged'],
  ['"b"', 'whole'],
  ['"a', 'whole'],
  ['a', 'whole'],
  ['"a"x', 'whole'],
  ['w/"a"', 'whole'],
  ['*, "a"', 'whole'],
  ['', 'whole'],
])('If-None-Match: %s', (known, expected) => {
  for (const etag of ['"a"', 'W/"a"']) expect(conditionOf({ 'if-none-match': known }, etag)).toBe(expected);
});

test.each([
  ['"a"', '"a"', 'whole'],
  ['"b", "a"', '"a"', 'whole'],
  ['*', 'W/"a"', 'whole'],
  ['"b"', '"a"', 'failed'],
  ['W/"a"', '"a"', 'failed'],
  ['"a"', 'W/"a"', 'failed'],
  ['nonsense', '"a"', 'failed'],
])('If-Match: %s of %s', (wanted, etag, expected) => {
  expect(conditionOf({ 'if-match': wanted }, etag)).toBe(expected);
});

test('If-Match is looked at first', () => {
  expect(conditionOf({ 'if-match': '"b"', 'if-none-match': '"a"' }, '"a"')).toBe('failed');
  expect(conditionOf({ 'if-match': '"a"', 'if-none-match': '"a"' }, '"a"')).toBe('unchanged');
});
