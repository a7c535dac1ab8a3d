import { isUuid, newId } from '@parley/domain/ids';

type UserAct = {
  kind: 'user.deleted' | 'user.restored' | 'user.suspended' | 'user.resumed';
  appId: string;
  userId: string;
};
type ObjectAct = {
  kind:
    | 'access_token.deleted'
    | 'automation_token.deleted'
    | 'console_session.ended'
    | 'key.disabled'
    | 'key.enabled'
    | 'key.deleted'
    | 'provider.deleted';
  id: string;
};

/** An act that a restore of the database must not undo. */
export type Act =
  /** `version`: the incarnation that the erasure gave the identity. */
  | { kind: 'user.erased'; appId: string; userId: string; version: number }
  | { kind: 'sessions.ended'; appId: string; userId: string; sessionIds: readonly string[] }
  | { kind: 'app.suspended' | 'app.resumed' | 'app.deleted'; appId: string }
  | UserAct
  | ObjectAct;

/** `id`: a uuid of version 7. `at`: milliseconds since the epoch. */
export type JournalEntry = { id: string; at: number; act: Act };

const FOLDER = 'journal/';
const SUFFIX = '.jsonl';

/** The prefix of the keys of entries that were made on the day of a time, in UTC. */
export function dayPrefix(time: number): string {
  return `${FOLDER}${new Date(time).toISOString().slice(0, 10)}/`;
}

export const ALL_DAYS = FOLDER;

/** The key of an object of its own for these entries, of which `first` is the oldest. */
export function newKey(first: JournalEntry): string {
  return `${dayPrefix(first.at)}${newId()}${SUFFIX}`;
}

/** Whether a text is the key of an object of the journal. */
export function isKey(text: string): boolean {
  const [folder, day = '', name = '', ...rest] = text.split('/');
  const isOfDay = `${folder}/` === FOLDER && /^\d{4}-\d\d-\d\d$/.test(day) && rest.length === 0;
  return isOfDay && name.endsWith(SUFFIX) && isUuid(name.slice(0, -SUFFIX.length));
}

export function encodeEntries(entries: readonly JournalEntry[]): Uint8Array {
  return Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

export function decodeEntries(bytes: Uint8Array): JournalEntry[] {
  const lines = Buffer.from(bytes).toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalEntry);
}
