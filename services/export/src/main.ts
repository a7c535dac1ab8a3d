import { migrate } from '@parley/kit/migrate';
import { runProcess, runTask } from '@parley/kit/process';
import { readConfig } from './config.ts';
import { createService, migrations } from './service.ts';

// `main.js migrate` brings the database up to date and ends: a Job does it before a rollout.
if (process.argv[2] === 'migrate')
  await runTask('export', (log) => migrate({ url: readConfig().databaseUrl, dir: migrations, log }));
else await runProcess('export', () => createService(readConfig()));
