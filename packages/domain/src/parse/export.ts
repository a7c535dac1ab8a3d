import { limits } from '@parley/contract/limits';
import type { ExportInterval, KeyPadding } from '@parley/proto/parley/export/v1/export_pb';
import { EXPORT_EVENTS, USUAL_EXPORT_EVENTS, type ExportEvent } from '../events/export-events.ts';
import { EXPORT_INTERVAL_NAMES, KEY_PADDING_NAMES } from '../json/export.ts';
import { readRsaPublicKey } from '../rsa-public-key.ts';
import { parseChoice, parseName } from './choice.ts';
import { invalid, missing, optional, parseObject, requiredText } from './fields.ts';

/** Body of PUT export_security. Problems: missing_property, invalid_property (public_key, padding). */
export function parseExportKey(body: unknown): { publicKey: string; padding: KeyPadding } {
  const fields = parseObject(body);
  const publicKey = requiredText(fields, 'public_key');
  const { minRsaBits, maxExportKeyBits } = limits;
  if (!readRsaPublicKey(publicKey, maxExportKeyBits)) {
    const rule = `must be the PEM of an RSA public key of ${minRsaBits} to ${maxExportKeyBits} bits.`;
    return invalid('public_key', rule);
  }
  const padding = optional(fields, 'padding') ?? 'pkcs1';
  return { publicKey, padding: parseChoice(KEY_PADDING_NAMES, padding, 'padding') };
}

export type ExportSchedule = { interval: ExportInterval; events: ExportEvent[]; hourUtc: number };

/** Body of PUT export_schedule. Problems: missing_property, invalid_property (interval, events, hour_utc). */
export function parseExportSchedule(body: unknown): ExportSchedule {
  const fields = parseObject(body);
  const given = optional(fields, 'interval');
  if (given === undefined) missing('interval');
  const interval = parseChoice(EXPORT_INTERVAL_NAMES, given, 'interval');
  const hourUtc = optional(fields, 'hour_utc') ?? 0;
  if (typeof hourUtc !== 'number' || !Number.isInteger(hourUtc) || hourUtc < 0 || hourUtc > 23) {
    return invalid('hour_utc', 'must be a whole number from 0 to 23.');
  }
  return { interval, events: parseEvents(optional(fields, 'events')), hourUtc };
}

function parseEvents(given: unknown): ExportEvent[] {
  if (given === undefined) return [...USUAL_EXPORT_EVENTS];
  if (!Array.isArray(given) || given.length === 0) return invalid('events', 'must be a list of event names.');
  return [...new Set(given.map((name: unknown) => parseName(EXPORT_EVENTS, name, 'events')))];
}
