import { identityUri, uuidOf, type TestUser } from '../../../support/app.ts';
import { leave } from './changes.ts';
import { presentIn, type Conversation, type Message, type World } from './world.ts';

export type Role = 'moderator' | 'observer';

/** Rules of a conversation: without a role a participant is a member. */
export type Policy = {
  isFrozen: boolean;
  roles: Map<string, Role>;
  restrictions: Map<string, 'mute' | 'ban'>;
};

export function createPolicy(): Policy {
  return { isFrozen: false, roles: new Map(), restrictions: new Map() };
}

type Action = 'send' | 'react' | 'delete' | 'patch' | 'add' | 'remove';

/** Whether a policy keeps a participant from something. */
export function isForbidden({ policy }: Conversation, user: string, action: Action): boolean {
  const role = policy.roles.get(user);
  if (role === 'observer') return true;
  if (action !== 'send' && action !== 'react') return false;
  if (policy.isFrozen && role !== 'moderator') return true;
  return policy.restrictions.get(user) === 'mute';
}

/** Whether the role of `user` keeps them from removing `other`. */
export function isOutranked({ policy }: Conversation, user: string, other: string): boolean {
  return policy.roles.get(other) === 'moderator' && policy.roles.get(user) !== 'moderator';
}

export function isBanned({ policy }: Conversation, user: string): boolean {
  return policy.restrictions.get(user) === 'ban';
}

/** Messages that count as unread. A shadowed message counts for nobody. */
export function countedOf(messages: readonly Message[]): Message[] {
  return messages.filter(({ isShadowed }) => !isShadowed);
}

export type PolicyKind = 'restrict' | 'freeze' | 'give role' | 'shadow';

export function isPolicyKind(kind: string): kind is PolicyKind {
  return ['restrict', 'freeze', 'give role', 'shadow'].includes(kind);
}

type PolicyOperation = { kind: PolicyKind; conversation: Conversation; user: TestUser; other: number };

const PATCH = { 'content-type': 'application/vnd.svc-patch+json' };

/** The application's server sets or ends a rule about a user. Most choices end one, so that users go on acting. */
export async function rule(
  world: World,
  { kind, conversation, user, other }: PolicyOperation,
): Promise<void> {
  const { server } = user.app;
  const id = encodeURIComponent(user.id);
  if (kind === 'shadow') {
    const isOn = other % 3 === 0;
    const body = { type: 'shadow' };
    await server(isOn ? 'PUT' : 'DELETE', `/users/${id}/restriction`, 204, isOn ? { body } : {});
    if (isOn) world.shadowed.add(user.id);
    else world.shadowed.delete(user.id);
    return;
  }
  if (conversation.deleted) return;
  const path = `/conversations/${uuidOf(conversation.id)}`;
  const patch = (step: object) => server('PATCH', path, 204, { body: [step], headers: PATCH });
  if (kind === 'freeze') {
    const isFrozen = other % 4 === 0;
    await patch({ operation: 'set', property: 'frozen', value: isFrozen });
    conversation.policy.isFrozen = isFrozen;
  } else if (kind === 'give role') {
    if (!presentIn(conversation).includes(user.id)) return;
    const role = (['observer', 'moderator', undefined, undefined] as const)[other % 4];
    const property = `roles.${user.id.replaceAll('.', '\\.')}`;
    await patch({ operation: 'set', property, value: role ?? 'member' });
    if (role) conversation.policy.roles.set(user.id, role);
    else conversation.policy.roles.delete(user.id);
  } else await restrict(conversation, user, other);
}

async function restrict(conversation: Conversation, user: TestUser, other: number): Promise<void> {
  const { server } = user.app;
  const path = `/conversations/${uuidOf(conversation.id)}/restrictions/${encodeURIComponent(user.id)}`;
  const type = (['mute', 'ban', undefined, undefined] as const)[other % 4];
  if (!type) {
    await server('DELETE', path, 204);
    conversation.policy.restrictions.delete(user.id);
    return;
  }
  await server('PUT', path, 204, { body: { type } });
  conversation.policy.restrictions.set(user.id, type);
  if (type === 'ban' && presentIn(conversation).includes(user.id)) leave(conversation, user.id);
}

/** Roles and freezing as participants see them. */
export function rulesIn({ policy }: Conversation) {
  const roles = [...policy.roles].map(([name, role]): [string, string] => [identityUri(name), role]);
  return { isFrozen: policy.isFrozen, roles: Object.fromEntries(roles.sort()) };
}
