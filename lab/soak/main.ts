import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startMeasured } from '../load/platform.ts';
import { readArguments } from './arguments.ts';
import { startCalls } from './calls.ts';
import { startObserver } from './observer.ts';
import { reportOf } from './report.ts';
import { createWorld } from './world.ts';

// `npm run lab -- soak [--minutes 60 --rate 150 --report soak.json]`: a constant load of many kinds of requests, and what the processes,
// the databases and NATS hold of it minute by minute. The exit code says whether something grew that must not, or a request failed.
const { minutes, rate, report } = readArguments(process.argv.slice(2));

/** Samples of a short run are closer together, so that it has enough of them for a trend. */
const periodMs = Math.min(60_000, minutes * 3_000);

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}

/** The first signal ends the soak with a report, the second one ends it at once. */
function createInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => (controller.signal.aborted ? process.exit(1) : controller.abort()));
  return controller.signal;
}

const interrupted = createInterrupt();
const measured = await startMeasured({ profile: true });
try {
  say('preparing users, conversations and sockets');
  const world = await createWorld(measured.running);
  const calls = startCalls(world, rate);
  const observer = startObserver(measured, calls);
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  for (let due = periodMs; due <= minutes * 60_000 && !interrupted.aborted; due += periodMs) {
    // What took longer than a period skips some.
    if (due < elapsed() - periodMs) continue;
    await pause(Math.max(0, due - elapsed()), undefined, { signal: interrupted }).catch(() => {});
    say(await observer.observe(elapsed() / 60_000));
  }
  await calls.stop();
  await world.stop();
  const result = reportOf({ minutes, rate, samples: observer.samples, failures: calls.failures });
  process.stdout.write(`${result.text}\n`);
  if (report) writeFileSync(report, `${JSON.stringify(result.json, undefined, 1)}\n`);
  process.exitCode = result.isGood ? 0 : 1;
} finally {
  await measured.stop();
}
process.exit();
