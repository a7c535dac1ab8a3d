import { Linter } from 'eslint';
import { linearRegexp } from './linear-regexp.ts';

const linter = new Linter();
const config = {
  plugins: { parley: { rules: { 'linear-regexp': linearRegexp } } },
  rules: { 'parley/linear-regexp': 'error' },
} as const;

function faultsOf(code: string): (string | undefined)[] {
  return linter.verify(code, config).map(({ messageId, message }) => messageId ?? message);
}

test.each([
  ['nested repetition', 'text.match(/^(a+)+$/)'],
  ['alternatives that overlap', 'text.match(/^(a|a)*$/)'],
  ['two repetitions of the same characters', 'text.match(/^\\s*(.*?)\\s*$/)'],
  ['a repetition that each place begins', 'text.replace(/\\/+$/, "")'],
  ['quoted strings that do not end, in a list', 'text.match(/(?:"(?:[^"\\\\]|\\\\.)*"|[^",])+/g)'],
  ['brackets that do not end', 'text.replace(/\\[[^\\]]*\\]/g, "")'],
  ['a lookahead at each place', '/(?=.*a)b/.test(text)'],
  ['a lazy repetition up to an end that never comes', '/<!--[^]*?-->/.exec(text)'],
  ['white space around a separator', 'text.split(/\\s*,\\s*/)'],
  ['a constructor with a text', 'new RegExp("(x+)+$")'],
])('%s is refused', (_case, code) => {
  expect(faultsOf(code)).toEqual(['slow']);
});

test.each([
  ['an anchored list of characters', '/^[\\w.-]{1,128}$/.test(text)'],
  ['a list with separators', '/^\\d+(?:\\.\\d+)*$/.test(text)'],
  ['a closed quoted string', '/^"(?:[^"\\\\]|\\\\.)*"$/.test(text)'],
  ['a single character, everywhere', 'text.replace(/[&<>]/g, escape)'],
  ['a repetition up to a bound', 'text.replace(/ {1,8}$/, "")'],
  ['a repetition that one character begins', 'text.match(/%[\\da-f]{2}/gi)'],
  ['a lookahead at the beginning', '/^(?=.*a)b/.test(text)'],
])('%s is accepted', (_case, code) => {
  expect(faultsOf(code)).toEqual([]);
});

test('an expression that is made of values is refused, since nothing can be said of it', () => {
  expect(faultsOf('new RegExp(source, "u"); RegExp(`^${name}$`)')).toEqual(['dynamic', 'dynamic']);
});
