import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { HEADER_LIMITS } from '../../packages/domain/src/http/header-limits.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Folders of code that reads headers of requests from outside. */
const FOLDERS = [
  'gateway/src',
  'console/server/src',
  'services/content/src',
  'packages/blobs/src',
  'packages/http/src',
  'packages/kit/src/flow/limits',
];

/** Headers that are not bounded, and why. */
const UNBOUNDED = {
  'content-length': 'Node has read it already',
  'transfer-encoding': 'its presence counts',
  'access-control-request-method': 'its presence counts',
  forwarded: 'its presence counts',
  'x-forwarded-for': 'its last entries are read, and cut',
};

/** Headers of answers, which stand in objects of the same name. */
const OF_ANSWERS = new Set(['vary', 'content-encoding', 'content-length', 'content-type']);

/** Names in `headers.name`, `headers['name']`, `{ name } = headers` and `headerOf(request, 'name')`. */
function namesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const isHeaders = (node: ts.Node) => /(^|\.)headers$/.test(node.getText());
  const visit = (node: ts.Node): void => {
    const isWritten =
      ts.isBinaryExpression(node.parent ?? node) && (node.parent as ts.BinaryExpression).left === node;
    if (ts.isPropertyAccessExpression(node) && isHeaders(node.expression)) names.push(node.name.text);
    if (ts.isElementAccessExpression(node) && isHeaders(node.expression) && !isWritten) {
      if (ts.isStringLiteral(node.argumentExpression)) names.push(node.argumentExpression.text);
    }
    if (ts.isVariableDeclaration(node) && node.initializer && isHeaders(node.initializer))
      if (ts.isObjectBindingPattern(node.name))
        for (const { name, propertyName } of node.name.elements) names.push((propertyName ?? name).getText());
    if (ts.isCallExpression(node) && /^(headerOf|requireHeader)$/.test(node.expression.getText())) {
      const [, name] = node.arguments;
      if (name && ts.isStringLiteral(name)) names.push(name.text.toLowerCase());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

const read = new Set(
  FOLDERS.flatMap((folder) => ts.sys.readDirectory(path.join(ROOT, folder), ['.ts']))
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap(namesIn),
);

test('the headers that the sources read are found', () => {
  expect([...read]).toEqual(
    expect.arrayContaining([
      'accept',
      'authorization',
      'content-range',
      'range',
      'tus-resumable',
      'upload-offset',
    ]),
  );
});

test('every header that a process reads has a limit, or a reason to have none', () => {
  const missing = [...read].filter(
    (name) => !Object.hasOwn(HEADER_LIMITS, name) && !Object.hasOwn(UNBOUNDED, name) && !OF_ANSWERS.has(name),
  );
  expect(missing).toEqual([]);
});

test('the documents name each limit', () => {
  const page = readFileSync(path.join(ROOT, 'docs/limits.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Za-z-]+)` +\| ([\d,]+) +\|/gm)];
  const documented = rows.map(([, name = '', most = '']) => [
    name.toLowerCase(),
    Number(most.replace(',', '')),
  ]);
  const limits = Object.entries(HEADER_LIMITS).map(([name, { most }]) => [name, most]);
  expect(documented).toEqual(limits);
});
