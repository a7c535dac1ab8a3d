import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connectInspector, type Inspector } from './inspector.ts';
import { selfTimes, selfTimeTable } from './self-times.ts';
import { createLocate } from './sources.ts';

/** Ports of the inspectors by process. */
export type InspectorPorts = Readonly<Record<string, number>>;

export type Profiler = {
  readonly folder: string;
  /** Profiles all processes while `work` runs, writes `<name>/<process>.cpuprofile` and `<name>/self-times.md`. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
};

const SAMPLE_MICROS = 500;
const ROWS = 25;

export function createProfiler(folder: string, ports: InspectorPorts): Profiler {
  return {
    folder,
    async during(name, work) {
      const stop = await begin(ports);
      const result = await work();
      const into = path.join(folder, name.replaceAll(/[^\w.-]+/g, '-'));
      await write(into, await stop());
      return result;
    },
  };
}

type Profiles = Record<string, Awaited<ReturnType<Inspector['call']>>['profile']>;

async function begin(ports: InspectorPorts): Promise<() => Promise<Profiles>> {
  const open = async ([name, port]: [string, number]): Promise<[string, Inspector]> => {
    const inspector = await connectInspector(port);
    await inspector.call('Profiler.enable');
    await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
    await inspector.call('Profiler.start');
    return [name, inspector];
  };
  const inspectors = await Promise.all(Object.entries(ports).map(open));
  return async () => {
    const end = async ([name, inspector]: [string, Inspector]) => {
      const { profile } = await inspector.call('Profiler.stop');
      inspector.close();
      return [name, profile] as const;
    };
    return Object.fromEntries(await Promise.all(inspectors.map(end)));
  };
}

async function write(folder: string, profiles: Profiles): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const tables: string[] = [];
  const locate = createLocate();
  for (const [name, profile] of Object.entries(profiles)) {
    if (!profile) continue;
    writeFileSync(path.join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
    tables.push(selfTimeTable(name, selfTimes(profile, locate), ROWS));
  }
  writeFileSync(path.join(folder, 'self-times.md'), `${tables.join('\n\n')}\n`);
}
