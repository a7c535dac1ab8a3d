// Checks the licenses of all packages that Parley needs to run against those that are allowed, and prints the others.
import { unacceptable } from '../licenses/allowed.ts';
import { productionPackages } from '../licenses/production.ts';

const packages = productionPackages();
const lines = unacceptable(packages);
for (const line of lines) process.stdout.write(`${line}\n`);
process.exit(lines.length === 0 && packages.length > 0 ? 0 : 1);
