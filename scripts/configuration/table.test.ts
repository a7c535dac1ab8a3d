import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listSettings, type Settings } from '../../packages/kit/src/runtime/config/settings.ts';
import { configurationTable } from './table.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const table = path.join(repository, 'docs/configuration.tsv');

async function settingsOf(folder: string): Promise<Settings> {
  const { settings } = (await import(path.join(repository, folder, 'src/config.ts'))) as {
    settings: Settings;
  };
  return settings;
}

async function allProcesses(): Promise<Map<string, Settings>> {
  const services = readdirSync(path.join(repository, 'services')).toSorted();
  const folders = [
    ['gateway', 'gateway'],
    ['console-server', 'console/server'],
    ...services.map((name) => [name, `services/${name}`]),
  ] as const;
  const read = folders.map(async ([name, folder]) => [name!, await settingsOf(folder!)] as const);
  return new Map(await Promise.all(read));
}

test('the table says what the processes read', async () => {
  const expected = configurationTable(await allProcesses());
  if (process.env.UPDATE_DOCS) writeFileSync(table, expected);
  expect(readFileSync(table, 'utf8')).toBe(expected);
});

test('every variable has one meaning, wherever it is read', async () => {
  const meanings = new Map<string, string>();
  for (const settings of (await allProcesses()).values()) {
    for (const { variable, description } of listSettings(settings)) {
      if (variable === 'PARLEY_HTTP_PORT') continue;
      expect(meanings.get(variable) ?? description).toBe(description);
      meanings.set(variable, description);
    }
  }
});
