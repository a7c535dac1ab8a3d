import { runService } from '@parley/kit/service';
import { readConfig } from './config.ts';
import { createService, migrations, name } from './service.ts';

await runService({ name, migrations, readConfig, createService });
