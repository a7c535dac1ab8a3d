// Builds the console, unless it is up to date.
import { buildConsole } from './build/console.ts';

await buildConsole().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
