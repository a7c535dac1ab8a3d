import { runProcess } from '@parley/kit/runtime/process';
import { readConfig } from './config.ts';
import { createService } from './service.ts';

await runProcess('console-server', () => createService(readConfig()));
