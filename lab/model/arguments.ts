import { parseArgs } from 'node:util';

/** `beside`: the full hash of a commit whose client library takes turns with the one of this checkout. */
export type Arguments = { count: number; seed: number; beside: string | undefined };

const DEFAULT_COUNT = '5000';
const SEEDS = 2 ** 31;

/** `[scenarios [seed]] [--beside <commit>]`. Fails with one line that says what is accepted. */
export function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: given.filter((argument) => argument !== '--'),
    options: { beside: { type: 'string' } },
    allowPositionals: true,
  });
  const [count = DEFAULT_COUNT, seed = String(Date.now() % SEEDS)] = positionals;
  if (values.beside !== undefined && !/^[0-9a-f]{40}$/.test(values.beside))
    throw new Error('--beside is the full hash of a commit');
  return { count: readNumber('scenarios', count), seed: readNumber('seed', seed), beside: values.beside };
}

function readNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1 || Number(text) >= SEEDS)
    throw new Error(`${name}: a whole number from 1 to ${SEEDS - 1}, not ${text}`);
  return Number(text);
}
