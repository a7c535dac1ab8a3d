import { Code, ConnectError } from '@connectrpc/connect';
import { v7 as uuidv7 } from 'uuid';
import type { Bus } from '../../bus/index.ts';
import type { Database } from '../../postgres/index.ts';
import type { Logger } from '../../runtime/telemetry/log.ts';
import { deleteMarks, takeMarks, type Mark, type NotedMark } from './marks.ts';
import {
  addMilestone,
  chooseMergers,
  deleteMilestonesAfter,
  listMilestones,
  mergeMilestones,
} from './milestones.ts';
import { lastSequenceIn, type Stored } from '../../bus/publish.ts';
import { addLoss } from './filled-stream.ts';

export type LossCheck = {
  db: Database;
  bus: Bus;
  log: Logger;
  stream: string;
  /** The subject of milestones. */
  milestones: string;
  /** Retention time of the stream's messages, or less. Milliseconds. */
  maxAgeMs: number;
};

/** Most marks that one check handles; further ones wait for the next check. */
const MARKS_AT_ONCE = 500;
/** Larger than any stream's number of messages. */
const NEVER_REACHED = Number.MAX_SAFE_INTEGER;
const NOTHING = new Uint8Array();

/**
 * Looks whether the stream still has what it acknowledged to this service: a server that comes back with older files has lost its last messages,
 * and their sequences are given again. What may be lost is recorded, to be published again. Returns whether something may be.
 *
 * - The milestones are a chain: the server says the sequence of the last one that it has.
 * - What was acknowledged since is compared message by message: one that is there is a repeat, at the same place. The server knows
 *   ids for two minutes; one that it does not know any more counts as lost.
 */
export async function lookForLosses(check: LossCheck): Promise<boolean> {
  const isCut = await followChain(check);
  const isBroken = await compareMarks(check);
  return isCut || isBroken;
}

async function followChain({ db, bus, log, stream, milestones, maxAgeMs }: LossCheck): Promise<boolean> {
  const [latest] = await listMilestones(db);
  const last = await lastSequenceOf(bus, milestones);
  // A milestone that expired says nothing.
  if (!latest || latest.ageMs > maxAgeMs || last >= latest.seq) return false;
  const since = await db.tx(async (tx) => {
    const from = await deleteMilestonesAfter(tx, last);
    if (from < Infinity) await addLoss(tx, stream, from);
    return from;
  });
  log.error({ stream, before: latest.seq, now: last }, 'stream has lost messages that it had acknowledged');
  return since < Infinity;
}

async function compareMarks({ db, bus, log, stream, milestones, maxAgeMs }: LossCheck): Promise<boolean> {
  const marks = await takeMarks(db, MARKS_AT_ONCE);
  if (marks.length === 0) return false;
  // The milestone follows the messages that are compared next: if one of them is lost afterwards, so is the milestone.
  const after = await lastSequenceOf(bus, milestones);
  const { seq } = await bus.publish(milestones, NOTHING, { msgId: uuidv7(), after });
  const verdicts = await Promise.all(marks.map((mark) => isStored(bus, mark)));
  const isKept = (mark: Mark, index: number) => verdicts[index] === true && mark.seq < seq;
  const kept = marks.filter(isKept);
  const lost = marks.filter((mark, index) => !isKept(mark, index));
  await db.tx(async (tx) => {
    await addMilestone(tx, seq, kept.length > 0 ? oldestOf(kept) : undefined);
    if (lost.length > 0) await addLoss(tx, stream, oldestOf(lost));
    await deleteMarks(tx, marks);
    await mergeMilestones(tx, chooseMergers(await listMilestones(tx), maxAgeMs));
  });
  if (lost.length > 0) log.warn({ stream, marks: lost.length }, 'stream does not show that it has what it acknowledged'); // prettier-ignore
  return lost.length > 0;
}

/** 0: the stream has no milestone. */
async function lastSequenceOf(bus: Bus, milestones: string): Promise<number> {
  try {
    await bus.publish(milestones, NOTHING, { msgId: uuidv7(), after: NEVER_REACHED });
  } catch (error) {
    const last = lastSequenceIn(error);
    if (last === undefined) throw error;
    return last;
  }
  throw new ConnectError('the stream ignores the expected sequence', Code.Internal);
}

/** Publishes an empty message with the id, which the stream drops if it has the message; consumers find no event in it. */
async function isStored(bus: Bus, { seq, subject, messageId }: Mark): Promise<boolean> {
  const found: Stored = await bus.publish(subject, NOTHING, { msgId: messageId });
  return found.isRepeat && found.seq === seq;
}

function oldestOf(marks: readonly NotedMark[]): number {
  return Math.min(...marks.map(({ oldestAt }) => oldestAt));
}
