import { limits } from '@parley/contract/limits';
import { invalid, isFields, missing, optional, type Fields } from './fields.ts';

/** Times of a scheduled message: it is sent `delayMs` from now, and its sender appears to be typing during the last `typingMs`. */
export type Schedule = { delayMs: number; typingMs?: number };

/** docs/protocol/messages.md#scheduled-messages */
export function parseSchedule(value: unknown): Schedule | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isFields(value)) return invalid('schedule', 'must be an object.');
  const delay = readSeconds(value, 'delay_in_seconds', limits.maxDelaySeconds);
  if (delay === undefined) return missing('schedule.delay_in_seconds');
  const typing = readSeconds(value, 'typing_indicator_in_seconds', delay);
  if (typing === undefined) return { delayMs: milliseconds(delay) };
  return { delayMs: milliseconds(delay), typingMs: milliseconds(typing) };
}

function readSeconds(value: Fields, name: string, max: number): number | undefined {
  const seconds = optional(value, name);
  if (seconds === undefined) return undefined;
  const fits = typeof seconds === 'number' && seconds >= limits.minDelaySeconds && seconds <= max;
  return fits
    ? seconds
    : invalid(`schedule.${name}`, `must be a number from ${limits.minDelaySeconds} to ${max}.`);
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
