import { parseArgs } from 'node:util';

export type Arguments = {
  minutes: number;
  /** Messages a second. */
  rate: number;
  /** File that gets the report as JSON. */
  report: string | undefined;
};

const MOST_MINUTES = 24 * 60;
const HIGHEST_RATE = 2_000;

/** Fails with one line that says what is accepted. */
export function readArguments(given: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: given.filter((argument) => argument !== '--'),
    options: {
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '150' },
      report: { type: 'string' },
    },
  });
  return {
    minutes: wholeNumber('--minutes', values.minutes, MOST_MINUTES),
    rate: wholeNumber('--rate', values.rate, HIGHEST_RATE),
    report: values.report,
  };
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`${name} is a whole number from 1 to ${most}, not ${text}`);
}
