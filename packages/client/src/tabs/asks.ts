import { clientEnded, ParleyError, recordOfError, type ErrorRecord } from '../errors.ts';
import type { Command } from './coordinator.ts';
import type { TabMessage } from './tab-message.ts';
import { uuid7 } from '../uuid.ts';

/** Commands for the leader, which may change while they wait. A command is run again by the next leader if the last one did not answer. */
export type Asks = {
  /** Runs a command at the leader. */
  ask(command: Command): Promise<unknown>;
  /** A leader has been found: this tab or another one. Commands that wait are given to it. */
  leaderIs(where: 'here' | 'elsewhere'): void;
  /** Runs the command of another tab, and sends the answer. */
  runFor(message: TabMessage & { kind: 'ask' }): Promise<void>;
  /** Takes an answer. */
  settle(message: TabMessage & { kind: 'answer' }): void;
  /** Fails the commands that wait. */
  stop(): void;
};

type Given = {
  id: string;
  send(message: TabMessage): void;
  run(command: Command): Promise<unknown>;
};

type Waiting = {
  readonly command: Command;
  resolve(value: unknown): void;
  reject(error: ParleyError): void;
};

/** A tab that hears of a leader asks again, although its command may have arrived already; it is run once all the same. */
const REMEMBERED_ANSWERS = 200;

export function createAsks({ id: from, send, run }: Given): Asks {
  const waiting = new Map<string, Waiting>();
  const answers = new Map<string, Promise<TabMessage>>();
  let isHere = false;

  function give(id: string, { command, resolve, reject }: Waiting): void {
    if (!isHere) return send({ kind: 'ask', id, from, command });
    waiting.delete(id);
    run(command).then(resolve, reject);
  }

  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        const id = uuid7();
        const one = { command, resolve, reject };
        waiting.set(id, one);
        give(id, one);
      }),
    leaderIs(where) {
      isHere = where === 'here';
      for (const [id, one] of [...waiting]) give(id, one);
    },
    async runFor({ id, from: to, command }) {
      const answer = answers.get(id) ?? answerOf(run(command), { id, to });
      answers.set(id, answer);
      const [oldest] = answers.keys();
      if (answers.size > REMEMBERED_ANSWERS && oldest !== undefined) answers.delete(oldest);
      send(await answer);
    },
    settle({ id, value, error }) {
      const one = waiting.get(id);
      waiting.delete(id);
      if (error) one?.reject(new ParleyError(error));
      else one?.resolve(value);
    },
    stop() {
      const error = clientEnded();
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}

async function answerOf(result: Promise<unknown>, to: { id: string; to: string }): Promise<TabMessage> {
  try {
    return { kind: 'answer', ...to, value: await result };
  } catch (error) {
    return { kind: 'answer', ...to, error: recordOf(error) };
  }
}

function recordOf(error: unknown): ErrorRecord {
  if (error instanceof ParleyError) return recordOfError(error);
  return { id: 'command_failed', code: 0, message: String(error), url: '', data: null };
}
