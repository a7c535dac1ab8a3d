import type { Json } from '../json.ts';
import type { Block } from './blocks.ts';

/**
 * Parts of a documented answer that are missing in the output of the block above it. `json`: one value, matched by the last line of JSON.
 * `jsonl`: several values, each matched by some line. `text`: lines, each of which occurs. Objects may leave keys out; `…` stands
 * for anything, ids and times for any others.
 */
export function missingAnswers(block: Block, output: string): string[] {
  const lines = output.split('\n').map((line) => line.replace(/^< /, '').trimEnd());
  if (block.language === 'text') {
    const documented = block.code.split('\n').filter((line) => line.trim() !== '');
    return documented.filter((wanted) => !lines.some((line) => matches(wanted.trim(), line.trim())));
  }
  const values = valuesIn(lines);
  if (block.language === 'jsonl') {
    const documented = block.code.split(/^(?={)/m);
    return documented.filter((wanted) => !values.some((value) => matches(JSON.parse(wanted), value)));
  }
  return matches(JSON.parse(block.code), values.at(-1)) ? [] : [block.code];
}

/** Statuses of refused requests that the documented answer does not show. */
export function undocumentedRefusals(block: Block | undefined, output: string): string[] {
  const refusals = output.split('\n').filter((line) => /^HTTP [45]\d\d$/.test(line));
  const isError = block?.language === 'json' && /"code":/.test(block.code);
  return refusals.filter((line) => !isError && !block?.code.includes(line));
}

/** The values of JSON in an output: one in a line, or indented as the command line prints them. */
function valuesIn(lines: readonly string[]): Json[] {
  const indented = lines.join('\n').matchAll(/^([{[])\n.*?^[}\]]$/gms);
  return [...lines, ...[...indented].map(([value]) => value)].flatMap(parse);
}

function parse(text: string): Json[] {
  if (!/^[[{]/.test(text)) return [];
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function matches(wanted: Json, actual: Json): boolean {
  if (typeof wanted === 'string')
    return typeof actual === 'string' && patternOf(wanted).test(neutral(actual));
  if (Array.isArray(wanted)) {
    const shown = wanted.filter((item) => item !== '…');
    const isWhole = shown.length === wanted.length;
    return (
      Array.isArray(actual) &&
      (!isWhole || actual.length === shown.length) &&
      shown.every((item) => actual.some((candidate: Json) => matches(item, candidate)))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === actual;
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(wanted).every(
    ([key, value]) => isMessageOfError(key, wanted) || matches(value, actual[key]),
  );
}

// Its wording is not a part of the contract.
function isMessageOfError(key: string, { code }: Json): boolean {
  return key === 'message' && typeof code === 'number';
}

const NEUTRAL: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/(http|ws)s?:\/\/(127\.0\.0\.1|localhost|parley\.example):?\d*/g, '<host>'],
];

function neutral(text: string): string {
  return NEUTRAL.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), text);
}

function patternOf(text: string): RegExp {
  const pieces = neutral(text)
    .split('…')
    .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`, 's');
}
