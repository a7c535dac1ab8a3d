import { env } from './config.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), {
  env,
  folder: process.cwd(),
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
});
