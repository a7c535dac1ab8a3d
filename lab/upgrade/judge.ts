import type { Report } from './run.ts';
import { shorten, type Statement } from './statements.ts';

/** Blocks that a periodic statement may read, however much has happened: a range of a BRIN index has 128 of them. */
const MOST_BLOCKS = 150;
/** Blocks of the change log that one message takes, at most. */
const BLOCKS_OF_SEND = 2;
/** How long it may take. */
const MOST_MEAN_MS = 100;
/** Clients wait ten seconds for an answer; a process that is replaced takes some of them. */
const SLOWEST_SEND_MS = 10_000;

/** Sentences of what an upgrade did not keep; none when it kept all. `isTimed`: times count, not only what statements read. */
export function judge(report: Report, { isTimed }: { isTimed: boolean }): string[] {
  const { migrations, uneven, periodic, besideSends, sentInSlice } = report;
  const isSlow = ({ meanMs }: Statement) => isTimed && meanMs > MOST_MEAN_MS;
  const costly = [
    ...periodic.filter((one) => readsTooMuch(one, 0) || isSlow(one)),
    ...besideSends.filter((one) => readsTooMuch(one, sentInSlice) || isSlow(one)),
  ];
  const slow = migrations.filter(({ slowestSend }) => isTimed && slowestSend > SLOWEST_SEND_MS);
  return [
    ...uneven,
    ...(migrations.length === 0 ? ['nothing was migrated'] : []),
    ...(periodic.some(({ text }) => text.includes('from live_publisher'))
      ? []
      : ['no periodic statement was seen']),
    ...slow.map(
      ({ service, migration, slowestSend }) => `a send took ${slowestSend} ms during ${service} ${migration}`,
    ),
    ...costly.map(
      ({ database, text, blocks, meanMs }) =>
        `${database} reads ${Math.round(blocks)} blocks in ${meanMs.toFixed(1)} ms each time: ${shorten(text)}`,
    ),
  ];
}

/**
 * A statement that answers or changes many rows reads as many blocks at most: such work ends. One that looks for what was sent in a slice of time
 * reads that.
 */
function readsTooMuch({ blocks, rows }: Statement, sentInSlice: number): boolean {
  return blocks > MOST_BLOCKS + 10 * rows + BLOCKS_OF_SEND * sentInSlice;
}
