import type { DataFolder } from '../folder.ts';
import type { ProcessDefinition } from './process-definition.ts';
import { lastWords } from './last-words.ts';
import { supervise, type Supervised } from './supervised.ts';

export type Supervisor = {
  readonly members: Supervised[];
  find(name: string): Supervised;
  /** Starts the groups together; they stop one after another, the last first. Resolves when all are ready. */
  start(...groups: ProcessDefinition[][]): Promise<void>;
  stop(): Promise<void>;
  /** Ends all at once; what they were doing is lost. */
  discard(): Promise<void>;
};

export type SupervisorOptions = {
  folder: DataFolder;
  runFolder: string;
  report(line: string): void;
  /** Called when the pid of a process has changed. */
  changed(): void;
};

/** All supervised processes of a platform. */
export function createSupervisor({ folder, runFolder, report, changed }: SupervisorOptions): Supervisor {
  const groups: Supervised[][] = [];
  let stopped = false;
  const members = () => groups.flat();

  const startOne = async (one: Supervised): Promise<void> => {
    const { name } = one.definition;
    const startedAt = Date.now();
    try {
      await one.start();
    } catch (cause) {
      const words = [(cause as Error).message, await lastWords(folder.log(name))].filter(Boolean).join(': ');
      throw new Error(`${name} does not start: ${words} (see ${folder.log(name)})`, { cause });
    }
    report(`${name} is up (process ${one.pid}, ${Date.now() - startedAt} ms)`);
  };

  return {
    get members() {
      return members();
    },
    find: (name) => {
      const found = members().find((one) => one.definition.name === name);
      if (!found) throw new Error(`no process is called ${name}`);
      return found;
    },
    start: async (...definitions) => {
      if (stopped) throw new Error('the platform is being stopped');
      const added = definitions.map((group) =>
        group.map((one) => supervise(one, { logFile: folder.log(one.name), runFolder, report, changed })),
      );
      groups.push(...added);
      await settleAll(added.flat().map(startOne));
    },
    stop: async () => {
      stopped = true;
      for (const group of groups.toReversed()) await settleAll(group.map((one) => one.stop()));
    },
    discard: async () => {
      stopped = true;
      await settleAll(members().map((one) => one.discard()));
    },
  };
}

// Like Promise.all, but fails only when all promises have settled.
async function settleAll(work: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
