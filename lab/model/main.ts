import { ownPlatform } from '../../test/support/own-platform.ts';
import { readArguments } from './arguments.ts';
import { runCampaign } from './campaign.ts';
import { librariesBeside, presentLibraries } from './library.ts';

// `npm run lab -- model [scenarios [seed]] [--beside <commit>]`: random scenarios with the client library against a platform of its own, whose
// gateway and messaging are killed meanwhile. Prints the seed, which repeats the scenarios.
const { count, seed, beside } = readArguments(process.argv.slice(2));
const nextLibrary = beside === undefined ? presentLibraries() : await librariesBeside(beside);
const platform = await ownPlatform();
process.stdout.write(`seed ${seed}\n`);
let finished = 0;
const { failures, kills } = await runCampaign({
  ...{ platform, seed, count, atOnce: 8, nextLibrary },
  done(index, error) {
    finished++;
    if (error) process.stdout.write(`scenario ${index}: ${error.message}\n`);
    if (finished % 100 === 0) process.stdout.write(`${finished} scenarios\n`);
  },
});
await platform.stop();
process.stdout.write(
  `seed ${seed}, ${kills} kills: ${count - failures.length} agreed, ${failures.length} did not\n`,
);
process.exit(failures.length === 0 ? 0 : 1);
