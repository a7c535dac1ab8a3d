import fc from 'fast-check';
import { parseHeaderList, parseTokenList } from './header-list.ts';

function plain(header: string) {
  return parseHeaderList(header).map(({ value, parameters }) => [value, Object.fromEntries(parameters)]);
}

test.each([
  ['', []],
  ['a/b', [['a/b', {}]]],
  [' a/b ; Version=3.0 ', [['a/b', { version: '3.0' }]]],
  [
    'a/b;q=0.5, c/d',
    [
      ['a/b', { q: '0.5' }],
      ['c/d', {}],
    ],
  ],
  ['a/b; x="1, 2; 3"; y', [['a/b', { x: '1, 2; 3', y: '' }]]],
  ['a/b; x="a\\"b\\\\"; y = 2', [['a/b', { x: 'a"b\\', y: '2' }]]],
  ['a/b; x="not ended, c/d; y', [['a/b', { x: '"not ended, c/d; y' }]]],
  ['a/b; x="not ended\\', [['a/b', { x: '"not ended\\' }]]],
  ['a/b; x="', [['a/b', { x: '"' }]]],
  [', ,a/b,,', [['a/b', {}]]],
  [';version=3.0', [['', { version: '3.0' }]]],
])('the list of %j', (header, expected) => {
  expect(plain(header)).toEqual(expected);
});

const token = fc.stringMatching(/^[a-z/+.-]{1,8}$/);
const value = fc.stringMatching(/^[\x20-\x7e]{0,8}$/);

test('what was written as a list is read from it, whatever its quoted strings hold', () => {
  const element = fc.record({
    value: token,
    parameters: fc.dictionary(token, value, { maxKeys: 4, noNullPrototype: true }),
  });
  fc.assert(
    fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
      const header = elements
        .map(({ value: name, parameters }) =>
          [name, ...Object.entries(parameters).map(([key, text]) => `${key}=${quoted(text)}`)].join(' ; '),
        )
        .join(' , ');
      expect(plain(header)).toEqual(elements.map((one) => [one.value, one.parameters]));
    }),
  );
});

test('tokens of a list', () => {
  expect(parseTokenList(' svc-3.1,svc-3.0 ,, svc-token.x')).toEqual(['svc-3.1', 'svc-3.0', 'svc-token.x']);
});

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
