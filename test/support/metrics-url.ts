import { readFileSync } from 'node:fs';
import type { Platform } from '@parley/stack/platform';

/** Address of the metrics of a platform's process, by the port that it logged when it was ready last. */
export function metricsUrlOf(running: Platform, name: string): string {
  const port = [...readFileSync(running.logFile(name), 'utf8').matchAll(/(?<="metrics_port":)\d+/g)].at(-1);
  if (port === undefined) throw new Error(`${name} did not log the port of its metrics`);
  return `http://127.0.0.1:${port[0]}/metrics`;
}
