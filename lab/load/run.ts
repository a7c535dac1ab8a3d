import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createBench } from './bench.ts';
import { stageTable } from './metrics/stages.ts';
import { parseArguments } from './options.ts';
import { startMeasured } from './platform.ts';
import { createProfiler } from './profile/profiler.ts';
import { RECORDED } from './record/history.ts';
import { record } from './record/record.ts';
import { DEFAULTS, GROUPS, SCENARIOS } from './scenarios/index.ts';
import { processTable, table, type Figures } from './stats.ts';
import { warmUp } from './warm-up.ts';

/** Runs the scenarios that the arguments name, and prints their figures. `scale`: factor on the number of items; 1 is the usual length. */
export async function runScenarios(given: readonly string[], scale: number): Promise<void> {
  const options = parseArguments(given, { scenarios: Object.keys(SCENARIOS), groups: GROUPS });
  const usual = options.record ? RECORDED : DEFAULTS;
  const chosen = options.scenarios.length > 0 ? options.scenarios : usual;

  const { running, tls, metricsPorts, inspectorPorts, stop } = await startMeasured(options);
  // An interrupted run leaves neither processes nor data.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    const profiler = options.profile
      ? createProfiler(mkdtempSync(path.join(tmpdir(), 'parley-profiles-')), inspectorPorts)
      : undefined;
    const rows: Figures[] = [];
    process.stderr.write('warming up …\n');
    await warmUp(await createBench({ running, tls, scale, metricsPorts, profiler }));
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      if (!chosen.includes(name)) continue;
      process.stderr.write(`${name} …\n`);
      rows.push(...(await scenario(await createBench({ running, tls, scale, metricsPorts, profiler }))));
    }
    process.stdout.write(`${table(rows)}\n`);
    for (const row of rows.filter(({ isDetailed }) => isDetailed || options.stages)) show(row);
    if (options.record) process.stdout.write(`\nThe figures are recorded in ${await record(rows)}\n`);
    if (profiler)
      process.stdout.write(
        `\nProfiles are in ${profiler.folder}, with the longest self times in self-times.md\n`,
      );
  } finally {
    await stop();
  }
}

function show(row: Figures): void {
  const stages = stageTable(row.stages ?? [], row.seconds);
  process.stdout.write(`\n### ${row.name}\n\n${processTable(row)}\n\n${stages}\n`);
}
