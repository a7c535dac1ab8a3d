import { ownPlatform } from '../support/own-platform.ts';
import { runCampaign } from './campaign.ts';

// `npm run model [-- scenarios [seed]]`: random scenarios with the client library against a platform of its own, whose gateway
// and messaging are killed meanwhile. Prints the seed, which repeats the scenarios.
const [count = '5000', seed = String(Date.now() % 2 ** 31)] = process.argv
  .slice(2)
  .filter((word) => word !== '--');
const platform = await ownPlatform();
process.stdout.write(`seed ${seed}\n`);
let finished = 0;
const { failures, kills } = await runCampaign({
  ...{ platform, seed: Number(seed), count: Number(count), atOnce: 8 },
  done(index, error) {
    finished++;
    if (error) process.stdout.write(`scenario ${index}: ${error.message}\n`);
    if (finished % 100 === 0) process.stdout.write(`${finished} scenarios\n`);
  },
});
await platform.stop();
process.stdout.write(
  `seed ${seed}, ${kills} kills: ${Number(count) - failures.length} agreed, ${failures.length} did not\n`,
);
process.exit(failures.length === 0 ? 0 : 1);
