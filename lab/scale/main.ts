// `npm run lab -- scale`: what ten million users ask of gateways, messaging and stores in their busiest hour, in a burst and when a zone fails,
// and what more users ask of cells on several servers, with the costs in docs/performance/benchmark.tsv. docs/scaling.md explains the tables.
import { readText } from '../../scripts/documents/page.ts';
import { readCosts } from './costs.ts';
import { installationTable } from './installations.ts';
import { scaleTable } from './table.ts';

const costs = readCosts(readText('docs/performance/benchmark.tsv'));
process.stdout.write(`${scaleTable(costs)}\n\n${installationTable(costs)}\n`);
