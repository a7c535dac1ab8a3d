import type { BasicIdentity, Conversation } from '@parley/client';
import { useConnection } from '@parley/react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { DialogButton } from './dialog-button.tsx';
import { nameOf } from './names.ts';
import { useLanguage } from './settings.ts';
import { isOver, useNow } from './writing.tsx';

type Restriction = Awaited<ReturnType<Conversation['restrictions']>>[number];

const SECOND_MS = 1000;
/** Lengths of a restriction that are offered, in seconds; 0 for one without an end. */
const LENGTHS_S = [600, 3_600, 86_400, 604_800, 0] as const;
const DEFAULT_S = '3600';
const LONGEST_REASON = 256;

type ButtonProps = {
  readonly conversation: Conversation;
  readonly identity: BasicIdentity;
  /** Called when the user is restricted. */
  readonly done: () => void;
};

/** A button of a participant's menu that asks how and how long they are muted or banned, and why. */
export function RestrictButton({ conversation, identity, done }: ButtonProps): ReactElement {
  const language = useLanguage();
  const { texts, fill, duration } = language;
  return (
    <DialogButton
      label={fill(texts.restrictPerson, { name: nameOf(identity, language) })}
      submit={texts.save}
      act={(fields) => conversation.restrict(identity.user_id, restrictionOf(fields)).then(done)}
    >
      <fieldset>
        <label>
          <input type="radio" name="type" value="mute" defaultChecked /> {texts.mute}
        </label>
        <label>
          <input type="radio" name="type" value="ban" /> {texts.ban}
        </label>
      </fieldset>
      <label>
        {texts.ends}
        <select className="parley-field" name="seconds" defaultValue={DEFAULT_S}>
          {LENGTHS_S.map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? texts.never : fill(texts.after, { time: duration(seconds) })}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.reason}
        <input className="parley-field" name="reason" dir="auto" maxLength={LONGEST_REASON} />
      </label>
    </DialogButton>
  );
}

function restrictionOf(form: FormData): Parameters<Conversation['restrict']>[1] {
  const seconds = Number(form.get('seconds'));
  const reason = String(form.get('reason') ?? '').trim();
  return {
    type: form.get('type') === 'ban' ? 'ban' : 'mute',
    until: seconds === 0 ? null : new Date(Date.now() + seconds * SECOND_MS).toISOString(),
    reason: reason === '' ? null : reason,
  };
}

type RestrictedProps = {
  readonly restrictions: readonly Restriction[];
  readonly lift: (userId: string) => void;
};

/** The users who are muted or banned, with a button that lifts it. */
export function Restricted({ restrictions, lift }: RestrictedProps): ReactElement | null {
  const language = useLanguage();
  const { texts, fill, moment } = language;
  if (restrictions.length === 0) return null;
  return (
    <>
      <h3>{texts.restricted}</h3>
      <ul className="parley-restricted">
        {restrictions.map(({ user, type, until, reason }) => (
          <li key={user.id}>
            <span>
              <bdi>{nameOf(user, language)}</bdi>
              <small>
                {type === 'ban' ? texts.ban : texts.mute}
                {until !== null && ` · ${texts.ends}: ${moment(new Date(until))}`}
                {reason !== null && (
                  <>
                    {' · '}
                    <bdi>{reason}</bdi>
                  </>
                )}
              </small>
            </span>
            <button
              type="button"
              className="parley-button"
              aria-label={fill(texts.lift, { name: nameOf(user, language) })}
              title={fill(texts.lift, { name: nameOf(user, language) })}
              onClick={() => lift(user.user_id)}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

type Reading = {
  readonly inForce: readonly Restriction[];
  /** Why they could not be read; empty if they could. */
  readonly problem: string;
  readonly readAgain: () => void;
};

/** The restrictions in force, for those who may restrict: read at each connection, and when the number of `changes` is another. */
export function useRestrictions(conversation: Conversation, changes: number): Reading {
  const mayRead = conversation.can('restrict');
  const { status } = useConnection();
  const [restrictions, setRestrictions] = useState<readonly Restriction[]>([]);
  const [problem, setProblem] = useState('');
  const [version, setVersion] = useState(0);
  const latest = useRef(conversation);
  latest.current = conversation;
  useEffect(() => {
    if (!mayRead) return setRestrictions([]);
    if (status !== 'online') return;
    let isWanted = true;
    latest.current.restrictions().then(
      (read) => {
        if (!isWanted) return;
        setRestrictions(read ?? []);
        setProblem('');
      },
      (error: Error) => isWanted && setProblem(error.message),
    );
    return () => {
      isWanted = false;
    };
  }, [conversation.id, mayRead, status, version, changes]);
  const inForce = restrictions.filter(({ until }) => !isOver(until));
  const ends = inForce.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
  useNow(ends.length > 0 ? Math.min(...ends) : undefined);
  return { inForce, problem, readAgain: () => setVersion((count) => count + 1) };
}
