import { open, stat } from 'node:fs/promises';
import { until } from '../../until.ts';

/** The present end of a log, where the output of the next start begins. */
export async function logEnd(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Resolves when the process has logged {"msg":"ready"} after that place. */
export async function untilReadyLine(
  file: string,
  from: number,
  given: () => string | undefined,
): Promise<void> {
  await until(async () => ((await readFrom(file, from)).split('\n').some(saysReady) ? true : undefined), {
    withinMs: 30_000,
    everyMs: 15,
    what: 'it says that it is ready',
    given,
  });
}

export async function readFrom(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.max(0, size - from));
    await handle.read(buffer, 0, buffer.length, from);
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}

function saysReady(line: string): boolean {
  if (!line.includes('"ready"')) return false;
  try {
    return (JSON.parse(line) as { msg?: unknown }).msg === 'ready';
  } catch {
    return false;
  }
}
