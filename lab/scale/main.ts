// `npm run lab -- scale`: what ten million users ask of gateways, messaging and stores in their busiest hour, in a burst and when a zone fails,
// with the costs in docs/performance/benchmark.tsv. docs/scaling.md explains the table.
import { readText } from '../../scripts/documents/page.ts';
import { readCosts } from './costs.ts';
import { scaleTable } from './table.ts';

process.stdout.write(`${scaleTable(readCosts(readText('docs/performance/benchmark.tsv')))}\n`);
