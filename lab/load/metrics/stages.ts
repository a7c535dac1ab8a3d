import { cells } from '../cells.ts';
import { parseHistograms, quantileOf, subtractHistograms, type HistogramValue } from './exposition.ts';

/** Observations of one histogram of one process during a measurement. */
export type Stage = { process: string; observed: HistogramValue };

/** Ports of `/metrics` by process. */
export type MetricsPorts = Readonly<Record<string, number>>;

type Readings = Map<string, Map<string, HistogramValue>>;

/** Resolves with a function that reads the metrics again, and gives what each histogram observed in between. */
export async function measureStages(ports: MetricsPorts): Promise<() => Promise<Stage[]>> {
  const before = await readAll(ports);
  return async () => {
    const after = await readAll(ports);
    return [...after].flatMap(([process, histograms]) =>
      subtractHistograms(histograms, before.get(process) ?? new Map()).map((observed) => ({
        process,
        observed,
      })),
    );
  };
}

/** Stages that were under way for less of the time are left out: timers that look for work. */
const LEAST_BUSY = 0.005;

/**
 * A Markdown table of stages, by process. `busy`: the share of the elapsed time that a stage was under way, above 100 % when
 * several were at the same time.
 */
export function stageTable(stages: readonly Stage[], seconds: number): string {
  return cells(
    ['process', 'stage', 'observed', 'mean', 'p50', 'p99', 'busy'],
    stages
      .filter(({ observed }) => !isTime(observed) || observed.sum >= LEAST_BUSY * seconds)
      .sort(byProcessAndName)
      .map((stage) => rowOf(stage, seconds)),
  );
}

function byProcessAndName(a: Stage, b: Stage): number {
  return nameOf(a).localeCompare(nameOf(b));
}

function nameOf({ process, observed }: Stage): string {
  return `${process} ${observed.name} ${labelsOf(observed)}`;
}

function rowOf({ process, observed }: Stage, seconds: number): string[] {
  const { sum, count } = observed;
  const format = (value: number) =>
    isTime(observed) ? `${(value * 1000).toFixed(2)} ms` : Math.ceil(value).toString();
  return [
    process,
    `${observed.name} ${labelsOf(observed)}`.trim(),
    count.toLocaleString('en'),
    isTime(observed) ? format(sum / count) : (sum / count).toFixed(1),
    format(quantileOf(observed, 0.5)),
    format(quantileOf(observed, 0.99)),
    isTime(observed) ? `${Math.round((sum / seconds) * 100)} %` : '',
  ];
}

function isTime({ name }: HistogramValue): boolean {
  return name.endsWith('_seconds');
}

// The process says already what the label `service` of most metrics does.
function labelsOf({ labels }: HistogramValue): string {
  return Object.entries(labels)
    .filter(([name]) => name !== 'service')
    .map(([, value]) => value)
    .join(' ');
}

async function readAll(ports: MetricsPorts): Promise<Readings> {
  const read = async ([process, port]: [string, number]): Promise<[string, Map<string, HistogramValue>]> => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    return [process, parseHistograms(await response.text())];
  };
  return new Map(await Promise.all(Object.entries(ports).map(read)));
}
