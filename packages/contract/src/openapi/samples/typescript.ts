import { piecesOf, variablesOf, type SampleRequest } from './sample-request.ts';

const WIDTH = 80;

const READ: Readonly<Record<SampleRequest['answer'], string>> = {
  json: ', await response.json()',
  text: ', await response.text()',
  bytes: ', await response.blob()',
  nothing: '',
};

/** A request as a module of TypeScript, which prints the status and the body of the answer. */
export function typescriptSample(request: SampleRequest): string {
  const { method, url, headers, body, answer } = request;
  const variables = variablesOf(request);
  const address = piecesOf(url).length > 1 ? template(piecesOf(url)) : literal(url);
  const options = [
    ...(method === 'GET' ? [] : [`method: ${literal(method)}`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${value(headers, 1)}`] : []),
    ...(body === undefined
      ? []
      : [
          'file' in body
            ? `body: await readFile(${literal(body.file)})`
            : `body: JSON.stringify(${value(body.json, 1)})`,
        ]),
  ];
  return [
    ...(body && 'file' in body ? [`import { readFile } from 'node:fs/promises';`, ''] : []),
    ...(variables.length > 0 ? [`const { ${variables.join(', ')} } = process.env;`] : []),
    options.length > 0
      ? `const response = await fetch(${address}, {\n  ${options.join(',\n  ')},\n});`
      : `const response = await fetch(${address});`,
    printed(answer),
  ].join('\n');
}

function printed(answer: SampleRequest['answer']): string {
  return `console.log(response.status${READ[answer]});`;
}

/** A JSON value as an expression, on one line where that is short. `depth`: levels of indentation of the line that it begins on. */
function value(json: unknown, depth: number): string {
  if (typeof json === 'string') return literal(json);
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  const isList = Array.isArray(json);
  const items = (indent: number) =>
    isList
      ? json.map((item) => value(item, indent))
      : Object.entries(json).map(([key, item]) => `${property(key)}: ${value(item, indent)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const all = items(depth + 1);
  if (all.length === 0) return `${open}${close}`;
  const line = isList ? `[${all.join(', ')}]` : `{ ${all.join(', ')} }`;
  if (line.length + 2 * depth <= WIDTH && !line.includes('\n')) return line;
  const indentation = '  '.repeat(depth + 1);
  return `${open}\n${indentation}${all.join(`,\n${indentation}`)},\n${'  '.repeat(depth)}${close}`;
}

function property(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : literal(key);
}

/** A text as a literal, or a variable, or a template of both. */
function literal(text: string): string {
  const pieces = piecesOf(text);
  if (pieces.length === 1) return simple(text);
  const [before, name = '', after] = pieces;
  return pieces.length === 3 && before === '' && after === '' ? name : template(pieces);
}

/** A template, also of one variable alone: its type is a text even where the variable is not set. */
function template(pieces: readonly string[]): string {
  const parts = pieces.map((piece, place) =>
    place % 2 === 1
      ? `\${${piece}}`
      : JSON.stringify(piece).slice(1, -1).replaceAll('\\"', '"').replace(/[`$]/g, '\\$&'),
  );
  return `\`${parts.join('')}\``;
}

function simple(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
