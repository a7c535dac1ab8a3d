import { cells } from '../cells.ts';
import { PAIRS, type Shape } from '../scenarios/shapes.ts';
import { median } from '../stats.ts';

/** The figures of one system in one shape and round. */
export type Sample = {
  /** Messages a second, from the send to the recipient or to the last member of the group. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  /** Bytes to all clients together for one message. */
  bytes: number;
  /** Microseconds of processor time of the server and its database for one message. */
  micros: number;
  /** Share of all processors, 0 to 1, that other programs took meanwhile. */
  foreign: number;
};

/** Samples of one shape in the order of the rounds; undefined where the system came to no end. */
export type Compared = {
  shape: Shape;
  parley: readonly (Sample | undefined)[];
  ejabberd: readonly (Sample | undefined)[];
};

const HEAD = [
  'shape',
  'Parley/s',
  'ejabberd/s',
  'ratio',
  'p50 ms',
  'bytes a message',
  'µs a message',
  'foreign',
];
const NOT_FINISHED = 'not finished';

/**
 * A Markdown table of medians; in brackets the lowest and the highest of the rounds. Cells with two values have Parley's first. The
 * ratio is that of Parley's rate to ejabberd's in the same round; `foreign` is the highest of the rounds.
 */
export function comparisonTable(compared: readonly Compared[]): string {
  return cells(HEAD, compared.map(rowOf));
}

function rowOf({ shape, parley, ejabberd }: Compared): string[] {
  const ratios = parley.map((sample, round) => {
    const other = ejabberd[round];
    return sample && other && sample.rate / other.rate;
  });
  const samples = [parley, ejabberd];
  const both = (value: (sample: Sample) => number, digits: number) =>
    samples
      .map((of) =>
        middle(
          of.map((sample) => sample && value(sample)),
          digits,
        ),
      )
      .join(' / ');
  const foreign = samples.map((of) => Math.max(0, ...of.map((sample) => sample?.foreign ?? 0)));
  return [
    titleOf(shape),
    spread(parley.map((sample) => sample?.rate)),
    spread(ejabberd.map((sample) => sample?.rate)),
    spread(ratios, 2),
    both(({ p50 }) => p50, 1),
    both(({ bytes }) => bytes, 0),
    both(({ micros }) => micros, 0),
    `${foreign.map((share) => Math.round(100 * share)).join(' / ')} %`,
  ];
}

/** Names the shape in a sentence's words. */
export function titleOf({ name, users, outstanding }: Shape): string {
  if (!PAIRS.some((pairs) => pairs.name === name))
    return `group of ${inWords(users)}, ${outstanding} under way`;
  return `${users} ${users === 1 ? 'pair' : 'pairs'}, ${outstanding} under way each`;
}

function spread(values: readonly (number | undefined)[], digits = 0): string {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return NOT_FINISHED;
  const [lowest, highest] = [Math.min(...known), Math.max(...known)].map((value) => inWords(value, digits));
  const typical = inWords(median(known), digits);
  return lowest === highest ? typical : `${typical} (${lowest}–${highest})`;
}

function middle(values: readonly (number | undefined)[], digits: number): string {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? '–' : inWords(median(known), digits);
}

function inWords(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
