import { readFileSync } from 'node:fs';
import { readConfig } from '../config.ts';

// Loaded into every process of a campaign before its own code: its clock is ahead of the machine's by as many milliseconds as the
// file says, or behind when the number is negative. Timers keep their pace, as they do when the time of a machine is set.

const EVERY_MS = 50;

const { clockFile: file } = readConfig();
const now = Date.now.bind(Date);
let aheadMs = 0;

function readFile(): void {
  if (file) aheadMs = Number(readFileSync(file, 'utf8')) || 0;
}

readFile();
setInterval(readFile, EVERY_MS).unref();

Date.now = () => now() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, values: [], created) =>
    Reflect.construct(target, values.length === 0 ? [Date.now()] : values, created) as Date,
});
