import { parseArgs } from 'node:util';
import { FAULT_KINDS, type Fault } from './kinds.ts';

/**
 * A campaign ends after `faults` or after `minutes`, whichever comes first. `mix`: processes of the last release take part. `only`: the
 * kinds of its faults.
 */
export type Arguments = {
  faults: number;
  minutes: number;
  seed: number;
  mix: boolean;
  only: readonly Fault['kind'][];
};

const DEFAULT_FAULTS = 100;
const MOST_FAULTS = 1_000_000;
const MOST_MINUTES = 7 * 24 * 60;
/** The pauses between faults leave no time for more. */
const FAULTS_A_MINUTE = 200;

/** `--minutes` without `--faults` decides alone. Fails with one line that says what is accepted. */
export function readArguments(given: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: given.filter((argument) => argument !== '--'),
    options: {
      faults: { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string', default: '1' },
      mix: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [...FAULT_KINDS] },
    },
  });
  const minutes = wholeNumber('--minutes', values.minutes ?? String(MOST_MINUTES), MOST_MINUTES);
  const enough = values.minutes === undefined ? DEFAULT_FAULTS : minutes * FAULTS_A_MINUTE;
  return {
    faults: values.faults === undefined ? enough : wholeNumber('--faults', values.faults, MOST_FAULTS),
    minutes,
    seed: wholeNumber('--seed', values.seed, 2 ** 31 - 1),
    ...{ mix: values.mix, only: values.only.map(readKind) },
  };
}

function readKind(text: string): Fault['kind'] {
  const kind = FAULT_KINDS.find((one) => one === text);
  if (!kind) throw new Error(`--only is one of ${FAULT_KINDS.join(', ')}, not ${text}`);
  return kind;
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new Error(`${name} is a whole number from 1 to ${most}, not ${text}`);
  return value;
}
