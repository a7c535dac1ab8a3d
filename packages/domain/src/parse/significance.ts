import { parseIdentityRef } from '../ids.ts';
import { limits } from '@parley/contract/limits';
import type { Wire } from '../wire.ts';
import { parseChoice } from './choice.ts';
import { invalid, isFields, optional } from './fields.ts';

const IS_LOW = { normal: false, low: true } as const;

/** Significance of a message: the default and its exceptions. */
export type Significance = { low: boolean; lowByUserId: ReadonlyMap<string, boolean> };

/** docs/protocol/messages.md#significance */
export function parseSignificance(wire: Wire, value: unknown, prefix = ''): Significance | undefined {
  if (value === undefined || value === null) return undefined;
  const property = `${prefix}significance`;
  if (!isFields(value)) return invalid(property, 'must be an object.');
  const byDefault = optional(value, 'default');
  const low = byDefault === undefined ? false : isLow(byDefault, `${property}.default`);
  return {
    low,
    lowByUserId: readRecipients(wire, optional(value, 'recipients') ?? {}, `${property}.recipients`),
  };
}

function readRecipients(wire: Wire, value: unknown, property: string): Map<string, boolean> {
  if (!isFields(value)) return invalid(property, 'must be an object.');
  const recipients = new Map<string, boolean>();
  const most = limits.significanceRecipients;
  if (Object.keys(value).length > most) invalid(property, `must name at most ${most} identities.`);
  for (const [identity, significance] of Object.entries(value)) {
    const userId = parseIdentityRef(wire, identity) ?? invalid(property, 'must have identities as keys.');
    recipients.set(userId, isLow(significance, property));
  }
  return recipients;
}

function isLow(value: unknown, property: string): boolean {
  return parseChoice(IS_LOW, value, property);
}
