import { limits } from '@parley/contract/limits';
import { FILENAME } from '@parley/contract/patterns';
import { percentDecode } from './percent.ts';
import { countCharacters } from './user-id.ts';

// eslint-disable-next-line parley/linear-regexp -- its test is that of the schemas, scripts/lint/expressions.alone.test.ts
const FILENAME_PATTERN = new RegExp(FILENAME, 'u');
const ASCII = /^[ -~]*$/;

/** Whether a text may be the name of a file: docs/protocol/uploads.md#names-of-files */
export function isFilename(text: string): boolean {
  if (text.length > 2 * limits.filename || countCharacters(text) > limits.filename) return false;
  return text.isWellFormed() && FILENAME_PATTERN.test(text);
}

/** The name in a header with percent-encoded UTF-8; undefined for a malformed one. */
export function decodeFilename(header: string): string | undefined {
  const name = ASCII.test(header) ? percentDecode(header) : undefined;
  return name !== undefined && isFilename(name) ? name : undefined;
}

/** The value of the parameter `name` of a media type; undefined if it is missing or not a valid file name. */
export function nameInMediaType(mediaType: string): string | undefined {
  let at = mediaType.indexOf(';');
  while (at !== -1) {
    const parameter = readParameter(mediaType, at + 1);
    if (parameter.name === 'name') return isFilename(parameter.value) ? parameter.value : undefined;
    at = mediaType.indexOf(';', parameter.end);
  }
  return undefined;
}

type Parameter = {
  name: string;
  value: string;
  /** Index at which the next name is looked for. */ end: number;
};

function readParameter(text: string, start: number): Parameter {
  const semicolon = text.indexOf(';', start);
  const end = semicolon === -1 ? text.length : semicolon;
  const equals = text.indexOf('=', start);
  if (equals === -1 || equals > end) return { name: '', value: '', end };
  const name = text.slice(start, equals).trim().toLowerCase();
  let at = equals + 1;
  while (text[at] === ' ') at += 1;
  if (text[at] === '"') return { name, ...readQuoted(text, at + 1) };
  return { name, value: text.slice(at, end).trim(), end };
}

/** A quoted string, which may contain semicolons, and quotes after a backslash. RFC 9110, 5.6.4 */
function readQuoted(text: string, start: number): Omit<Parameter, 'name'> {
  let value = '';
  let at = start;
  for (; at < text.length && text[at] !== '"'; at += 1) {
    if (text[at] === '\\') at += 1;
    value += text[at] ?? '';
  }
  return { value, end: at };
}
