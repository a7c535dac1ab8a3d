import { missingAnswers, undocumentedRefusals } from './answers.ts';
import { codeBlocks, type Block } from './blocks.ts';

function block(language: string, code: string): Block {
  return { language, code, options: {}, line: 1 };
}
const ID = '01a203f5-ffbe-778f-8095-d94766e30ece';
const OTHER_ID = '01a203f6-004a-7707-9197-0fc0b1fbfb50';
const OUTPUT = `HTTP 201\n{"id":"${ID}","at":"2026-11-22T15:53:03.183Z","list":[{"a":1},{"a":2}],"none":null}\n`;

test.each([
  ['a part of the keys', '{"none":null}'],
  ['another id and time', `{"id":"${OTHER_ID}","at":"2020-01-01T00:00:00Z"}`],
  ['a list in another order', '{"list":[{"a":2},{"a":1}]}'],
  ['a list that is cut short', '{"list":[{"a":1},"…"]}'],
  ['any text', '{"id":"…"}'],
])('an answer may be shown with %s', (_, code) => {
  expect(missingAnswers(block('json', code), OUTPUT)).toEqual([]);
});

test.each([
  ['a key', '{"other":null}'],
  ['a value', '{"none":1}'],
  ['an item', '{"list":[{"a":1},{"a":3}]}'],
  ['the length of a list', '{"list":[{"a":1}]}'],
  ['the form of an id', '{"id":"svc:///messages/…"}'],
])('an answer is not as shown when %s differs', (_, code) => {
  expect(missingAnswers(block('json', code), OUTPUT)).toEqual([code]);
});

test('each of several values, and each line of a text, has to occur', () => {
  const packets = '{"n":1}\n{\n  "n": 3\n}\n';
  expect(missingAnswers(block('jsonl', packets), '{"n":2}\n< {"n":1}\n')).toEqual(['{\n  "n": 3\n}\n']);
  expect(missingAnswers(block('text', 'one\ntwo …\n'), 'two of them\n')).toEqual(['one']);
});

test('the indented answer of the command line is compared too', () => {
  expect(missingAnswers(block('json', '{"app":{"a":1}}'), '{\n  "app": {\n    "a": 1\n  }\n}\n')).toEqual([]);
});

test('a refused request is a fault unless the guide shows it', () => {
  const output = 'HTTP 422\n{"id":"invalid_property","code":105}\n';
  expect(undocumentedRefusals(undefined, output)).toEqual(['HTTP 422']);
  expect(undocumentedRefusals(block('text', 'HTTP 404\n'), output)).toEqual(['HTTP 422']);
  expect(undocumentedRefusals(block('text', 'HTTP 422\n'), output)).toEqual([]);
  expect(undocumentedRefusals(block('json', '{"code": 105}'), output)).toEqual([]);
});

test('code blocks are found with their language, options and line', () => {
  const markdown = 'Text\n\n```sh needs=go\ngo run\n```\n\n```js file=a.mjs\n1;\n```\n';
  expect(codeBlocks(markdown)).toEqual([
    { language: 'sh', options: { needs: 'go' }, code: 'go run\n', line: 4 },
    { language: 'js', options: { file: 'a.mjs' }, code: '1;\n', line: 8 },
  ]);
});
