import type { Leaves, Role, RuleText } from '@parley/contract/api/operator';

export type { Leaves, Role, RuleText };

/**
 * Entries that the audit log gets. `call`: an entry before the call is made, with its outcome afterwards. `read`: an entry before the answer, once for each
 * token and path. `none`: no entry, unless the call is refused.
 */
export type Recorded = 'call' | 'read' | 'none';

export type OperatorRule = { role: Role; leaves: Leaves; recorded: Recorded };

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, operator: 2, owner: 3 };

export function isRole(text: string): text is Role {
  return Object.hasOwn(RANKS, text);
}

/** Whether a role is at least another. */
export function covers(role: Role, least: Role): boolean {
  return RANKS[role] >= RANKS[least];
}

/** Calls that change something are recorded, and so are calls that show messages or credentials. docs/console.md#the-audit-log */
export function ruleOf(text: RuleText, isChange: boolean): OperatorRule {
  const [role, leaves] = text.split(': ') as [Role, Leaves];
  const isDelicate = leaves === 'messages' || leaves === 'credentials';
  if (isChange) return { role, leaves, recorded: 'call' };
  return { role, leaves, recorded: isDelicate ? 'read' : 'none' };
}
