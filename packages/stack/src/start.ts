// The local platform: what `npm start` runs.
import { readConfig } from './config.ts';
import { announce } from './local/announce.ts';
import { openDataFolder } from './local/folder.ts';
import { fail, runUntilStopped } from './local/run-until-stopped.ts';

async function main(args: string[]): Promise<void> {
  const unknown = args.find((argument) => argument !== '--fresh');
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}: there is only --fresh.`);
  const { dataDir, port, wireName } = readConfig();
  const { logs, state: stateFile } = openDataFolder(dataDir);
  await runUntilStopped({
    dataDir,
    port,
    fresh: args.includes('--fresh'),
    site: true,
    announce: ({ state }) => announce({ state, wireName, logs, stateFile }),
  });
}

main(process.argv.slice(2)).catch(fail);
