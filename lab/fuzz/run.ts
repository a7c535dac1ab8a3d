import fc from 'fast-check';
import type { Platform } from '../../test/support/app.ts';
import type { AnswerLog } from './answers.ts';
import { createCases, type Case } from './cases.ts';
import { createPacketSender } from './packets.ts';
import { findFault, findFaultOfBytes, loginRequest } from './requests.ts';
import { blocksOfChunk, checkService, createApps, createWorld, type World } from './world.ts';

export type Fault = { seed: number; index: number; what: string; given: Case };

/** How often each status of HTTP, result of a socket's request and code of a close came. */
export type Answers = ReadonlyMap<string, number>;

export type FuzzOptions = {
  platform: Platform;
  cases: number;
  seed: number;
  /** Called after each chunk with what was found so far; throws when a process has ended. */
  progress(done: number, faults: readonly Fault[], answers: Answers): void;
  /** Log of every answer. With it cases are tried one at a time, since a case sees the changes of others. */
  log?: AnswerLog | undefined;
  /** Operations, as `GET /ping`, that no case is made for. */
  without?: readonly string[];
};

const CHUNK = 500;
const REQUESTS_AT_ONCE = 16;
const SOCKETS = 4;
/** Faults after which the run ends, since further ones teach nothing new. */
const MAX_FAULTS = 50;

type Numbered = { index: number; given: Case };

/** Tries the cases of a seed, and gives those with a fault. A chunk has its own users and its own seed. */
export async function fuzz({ platform, cases, seed, progress, log, without }: FuzzOptions): Promise<Fault[]> {
  const apps = await createApps(platform, without);
  const faults: Fault[] = [];
  const answers = new Map<string, number>();
  const note = (answer: string): void => void answers.set(answer, (answers.get(answer) ?? 0) + 1);
  for (let first = 0; first < cases && faults.length < MAX_FAULTS; first += CHUNK) {
    const world: Noted = {
      ...(await createWorld(apps, `${seed}-${first}`, blocksOfChunk(first / CHUNK))),
      note,
    };
    const numRuns = Math.min(CHUNK, cases - first);
    const given = fc.sample(createCases(world), { seed: seed + first, numRuns });
    const numbered = given.map((one, index) => ({ index: first + index, given: one }));
    const found = await (log ? tryInTurn(world, numbered, log) : tryCases(world, numbered));
    faults.push(...found.map((fault) => ({ ...fault, seed })));
    // What was found is said before a platform that does not serve any more ends the run.
    progress(first + numRuns, faults, answers);
    await checkService(await createWorld(apps, `${seed}-${first}-after`));
  }
  return faults;
}

/** A world that counts the answers, and passes on what they say. */
export type Noted = World & { note(answer: string): void; hear?(answer: string): void };

async function tryInTurn(
  world: Noted,
  cases: readonly Numbered[],
  log: AnswerLog,
): Promise<Omit<Fault, 'seed'>[]> {
  const faults: Omit<Fault, 'seed'>[] = [];
  let current = 0;
  const heard = { ...world, hear: (answer: string) => log.write(current, answer) };
  const sender = createPacketSender(heard);
  for (const { index, given } of cases) {
    current = index;
    const what = await (given.kind === 'packet' ? sender.findFault(given.packet) : tryRequest(heard, given));
    if (what !== undefined) faults.push({ index, given, what });
  }
  sender.close();
  return faults;
}

async function tryCases(world: Noted, cases: readonly Numbered[]): Promise<Omit<Fault, 'seed'>[]> {
  const faults: Omit<Fault, 'seed'>[] = [];
  const take = (queue: Numbered[], tryOne: (given: Case) => Promise<string | undefined>) => async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const what = await tryOne(next.given);
      if (what !== undefined) faults.push({ ...next, what });
    }
  };
  const packets = cases.filter(({ given }) => given.kind === 'packet').reverse();
  const requests = cases.filter(({ given }) => given.kind !== 'packet').reverse();
  const senders = Array.from({ length: SOCKETS }, () => createPacketSender(world));
  const tryPacket = (sender: (typeof senders)[number]) => (given: Case) =>
    given.kind === 'packet' ? sender.findFault(given.packet) : Promise.resolve(undefined);
  await Promise.all([
    ...senders.map((sender) => take(packets, tryPacket(sender))()),
    ...Array.from(
      { length: REQUESTS_AT_ONCE },
      take(requests, (given) => tryRequest(world, given)),
    ),
  ]);
  for (const sender of senders) sender.close();
  return faults;
}

async function tryRequest(world: Noted, given: Case): Promise<string | undefined> {
  if (given.kind === 'http') return findFault(world, given);
  if (given.kind === 'bytes') return findFaultOfBytes(world, given.bytes);
  return given.kind === 'login' ? findFault(world, loginRequest(world, given)) : undefined;
}
