import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { spawnToLog } from '../command.ts';
import type { DataFolder } from './folder.ts';
import type { Plan } from './plan.ts';
import type { ProcessDefinition } from './supervisor/process-definition.ts';

/** The service that changes the stream, and its database, when it is run with the argument `migrate`. */
const SERVICE = 'messaging';

/**
 * Prepares what the migration Job does in a cluster: the result changes the stream of an earlier start to today's settings. Without an
 * earlier start there is nothing to change, since the services create the stream.
 */
export function prepareMigration(
  folder: DataFolder,
  { infra }: Plan,
): (definitions: readonly ProcessDefinition[]) => Promise<void> {
  const hasStream = existsSync(folder.nats);
  const password = infra.natsPassword('migration');
  return async (definitions) => {
    const service = definitions.find(({ name }) => name === SERVICE);
    if (!hasStream || password === undefined || !service) return;
    const { env, args, ...command } = await service.command();
    const logFile = folder.log('migration');
    const child = spawnToLog(
      { ...command, args: [...args, 'migrate'], env: { ...env, PARLEY_NATS_PASSWORD: password } },
      logFile,
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The migration failed: see ${logFile}.`);
  };
}
