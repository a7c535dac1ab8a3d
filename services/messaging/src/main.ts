import { eventStream } from '@parley/domain/events/stream';
import { runService } from '@parley/kit/service';
import { readConfig, type Config } from './config.ts';
import { createService, migrations, NAME } from './service.ts';

await runService({
  name: NAME,
  migrations,
  readConfig,
  createService,
  cells: (config: Config) => config.cells,
  migratedStream: eventStream,
});
