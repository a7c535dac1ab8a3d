import type { BasicIdentity, Conversation } from '@parley/client';
import { useClient } from '@parley/react';
import { useState, type ReactElement } from 'react';
import { Problem } from './dialog-button.tsx';
import { nameOf } from './names.ts';
import { Restricted, useRestrictions } from './restricting.tsx';
import { useLanguage } from './settings.ts';
import { useRules } from './types.ts';
import { useAsked } from './use-asked.ts';

type Attempt = (change: Promise<unknown>) => void;
type Part = { readonly conversation: Conversation; readonly attempt: Attempt };

/** The highest role first. */
const ROLES = ['owner', 'moderator', 'member', 'observer'] as const;
type Role = (typeof ROLES)[number];

/** Seconds of slow mode that are offered. */
const SLOW_S = [0, 10, 30, 60, 300, 3_600] as const;

/** The role of a user in a conversation. */
export function roleOf({ roles }: Conversation, id: string | undefined): Role {
  return (id !== undefined && Object.hasOwn(roles, id) && roles[id]) || 'member';
}

/** Whether the user may remove or restrict another one, or change their role: that of the other one is not above their own. */
export function isWithinReach(conversation: Conversation, me: string | undefined, other: string): boolean {
  return ROLES.indexOf(roleOf(conversation, me)) <= ROLES.indexOf(roleOf(conversation, other));
}

type RoleProps = Part & { readonly identity: BasicIdentity };

/** The role of a participant: a choice for those who may set it, else its name unless it is that of a member. Nobody demotes themselves. */
export function RoleOf({ conversation, identity, attempt }: RoleProps): ReactElement | null {
  const language = useLanguage();
  const { texts, fill } = language;
  const me = useClient()?.user?.id;
  const [role, ask] = useAsked<Role>(roleOf(conversation, identity.id), conversation.id);
  const [chosen = role, choose] = useState<Role>();
  const canSet =
    identity.id !== me && conversation.can('set_roles') && isWithinReach(conversation, me, identity.id);
  if (!canSet) return role === 'member' ? null : <small className="parley-role">{texts[role]}</small>;
  const own = ROLES.indexOf(roleOf(conversation, me));
  const label = fill(texts.roleOf, { name: nameOf(identity, language) });
  function save(): void {
    choose(undefined);
    attempt(ask(chosen, conversation.setRole(identity.id, chosen)));
  }
  return (
    <span className="parley-role">
      <select aria-label={label} value={chosen} onChange={({ target }) => choose(target.value as Role)}>
        {ROLES.slice(own).map((one) => (
          <option key={one} value={one}>
            {texts[one]}
          </option>
        ))}
      </select>
      {chosen !== role && (
        <button type="button" className="parley-plain" aria-label={`${texts.save}: ${label}`} onClick={save}>
          {texts.save}
        </button>
      )}
    </span>
  );
}

/** Freezing, slow mode, and who is muted or banned, for those who may change it. */
export function Moderation({
  conversation,
  attempt,
  changes,
}: Part & { readonly changes: number }): ReactElement | null {
  const { texts } = useLanguage();
  const { inForce, problem, readAgain } = useRestrictions(conversation, changes);
  const canFreeze = conversation.can('freeze');
  const canSlow = conversation.can('restrict');
  if (!canFreeze && !canSlow) return null;
  return (
    <>
      <h3>{texts.moderation}</h3>
      {canFreeze && <Freeze conversation={conversation} attempt={attempt} />}
      {canSlow && <SlowModeChoice conversation={conversation} attempt={attempt} />}
      <Problem text={problem} />
      <Restricted
        restrictions={inForce}
        lift={(userId) => attempt(conversation.endRestriction(userId).then(readAgain))}
      />
    </>
  );
}

function Freeze({ conversation, attempt }: Part): ReactElement {
  const { texts } = useLanguage();
  const [isFrozen, ask] = useAsked(conversation.frozen !== undefined, conversation.id);
  return (
    <label className="parley-choice">
      <input
        type="checkbox"
        checked={isFrozen}
        onChange={({ target: { checked } }) => attempt(ask(checked, conversation.freeze(checked)))}
      />
      <span>
        {texts.freeze} <small>{texts.freezeHint}</small>
      </span>
    </label>
  );
}

function SlowModeChoice({ conversation, attempt }: Part): ReactElement {
  const { texts, fill, duration } = useLanguage();
  const usual = useRules(conversation)?.slow_mode_in_seconds ?? 0;
  const unset = usual === 0 ? texts.off : fill(texts.usual, { time: duration(usual) });
  const [present, ask] = useAsked(conversation.slowModeInSeconds, conversation.id);
  const offered = [...new Set([...SLOW_S, present])].toSorted((one, other) => one - other);
  return (
    <label className="parley-choice">
      <span>{texts.slowModeLabel}</span>
      <select
        value={present}
        onChange={({ target }) => {
          const seconds = Number(target.value);
          attempt(ask(seconds, conversation.setSlowMode(seconds)));
        }}
      >
        {offered.map((seconds) => (
          <option key={seconds} value={seconds}>
            {seconds === 0 ? unset : duration(seconds)}
          </option>
        ))}
      </select>
    </label>
  );
}
