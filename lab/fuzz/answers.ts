import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';

/** Lines with what was answered to each case of a run, without what differs between two runs of one commit. */
export type AnswerLog = {
  write(index: number, answer: string): void;
  end(): Promise<void>;
};

/** Headers that say something about the answer, rather than about the moment or the connection. */
const HEADERS = [
  ...['allow', 'cache-control', 'content-disposition', 'content-type', 'link', 'location', 'retry-after'],
  ...['svc-count', 'vary', 'www-authenticate'],
];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const COUNTER = /"counter":\d+/g;
const EPOCH_MS = /\b1\d{12}\b/g;
const SECRET = /[\w-]{24,}(?:[.~][\w-]{8,})*/g;
const PORT = /(127\.0\.0\.1|localhost):\d+/g;
const MAX_CHARS = 2_000;

/** Replaces everything that differs when a case is tried again: ids, times, counters, secrets and ports are named, not shown. */
export function normalize(text: string): string {
  const same = text
    .replace(UUID, '<id>')
    .replace(TIME, '<time>')
    .replace(EPOCH_MS, '<time>')
    .replace(COUNTER, '"counter":<n>')
    .replace(PORT, '$1:<port>')
    .replace(SECRET, '<secret>');
  if (same.length <= MAX_CHARS) return same;
  return `${same.slice(0, MAX_CHARS)} and ${createHash('sha256').update(same).digest('hex')}`;
}

export function answerText(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): string {
  const told = HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  return normalize([status, ...told, body].join('\n'));
}

/** Writes a line for each case. */
export function createAnswerLog(file: string): AnswerLog {
  const stream = createWriteStream(file);
  return {
    write: (index, answer) => void stream.write(`${index} ${JSON.stringify(answer)}\n`),
    end: () => new Promise((resolve) => stream.end(resolve)),
  };
}

function readAnswers(file: string): Map<string, string> {
  const answers = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const at = line.indexOf(' ');
    if (at < 0) continue;
    const index = line.slice(0, at);
    answers.set(index, `${answers.get(index) ?? ''}${line.slice(at + 1)}`);
  }
  return answers;
}

/** The cases whose answers differ between two logs, or stand in one alone. */
export function compareAnswers(before: string, after: string): string[] {
  const [old, now] = [readAnswers(before), readAnswers(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((index) =>
    old.get(index) === now.get(index)
      ? []
      : [`case ${index}\n  before: ${old.get(index) ?? 'none'}\n  after:  ${now.get(index) ?? 'none'}`],
  );
}
