import { readFrom } from './ready-line.ts';

/** The last line of a log, or the message in it, which may say why the process ended. */
export async function lastWords(logFile: string): Promise<string> {
  const text = await readFrom(logFile, 0).catch(() => '');
  const line = text.trim().split('\n').at(-1) ?? '';
  try {
    return String((JSON.parse(line) as { msg?: unknown }).msg ?? line);
  } catch {
    return line;
  }
}
