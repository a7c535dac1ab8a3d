import { piecesOf, type SampleRequest } from './sample-request.ts';

/** A request as one command of curl, which prints the status, the headers and the body of the answer. */
export function curlSample({ method, url, headers, body, answer }: SampleRequest): string {
  const words = [
    `curl ${optionsOf(method, answer)} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [bodyOf(body)]),
  ];
  return words.join(' \\\n  ');
}

/** Options by which curl waits for no body after a HEAD, and writes bytes to a file. */
function optionsOf(method: string, answer: SampleRequest['answer']): string {
  if (method === 'HEAD') return '-I';
  const output = answer === 'bytes' ? ' -o download' : '';
  return `${answer === 'bytes' ? '-D -' : '-i'}${output}${method === 'GET' ? '' : ` -X ${method}`}`;
}

function bodyOf(body: NonNullable<SampleRequest['body']>): string {
  return 'file' in body
    ? `--data-binary @${body.file}`
    : `-d ${quoted(JSON.stringify(body.json, null, 2).replaceAll('\n', '\n  '))}`;
}

/** A word of a POSIX shell: in double quotes where it has variables and nothing else that these change, else in single quotes. */
function quoted(text: string): string {
  const pieces = piecesOf(text);
  if (pieces.length > 1 && !/[\\$`!\n]/.test(text)) {
    return `"${pieces.map((piece, place) => (place % 2 === 1 ? shellVariable(piece, pieces[place + 1]) : piece.replaceAll('"', '\\"'))).join('')}"`;
  }
  return `'${pieces.map((piece, place) => (place % 2 === 1 ? `'"$${piece}"'` : piece.replaceAll("'", "'\\''"))).join('')}'`;
}

/** Braces keep what follows apart from the name. */
function shellVariable(name: string, next = ''): string {
  return /^\w/.test(next) ? `\${${name}}` : `$${name}`;
}
