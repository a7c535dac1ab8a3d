import type { BasicIdentity } from '@parley/client';
import { useClient, useConversations, useUserSearch } from '@parley/react';
import { useId, useMemo, useState, type KeyboardEvent, type ReactElement } from 'react';
import { isComposing } from './composing.ts';
import { nameOf } from './names.ts';
import { useComponents, useLanguage, type Language } from './settings.ts';

/** Properties of the picker. */
export type UserPickerProps = {
  readonly pick: (identity: BasicIdentity) => void;
  /** User ids that are not offered. */
  readonly exclude?: readonly string[];
  /** Finds a user by what was written, such as in a directory of the application; by default by the exact user id. */
  readonly find?: (text: string) => Promise<BasicIdentity | undefined>;
};

const MOST_OFFERED = 6;

/**
 * A field with the users whom the user writes with, and those whom the application's directory finds where it is open; others are found by
 * their exact user id.
 *
 * @param props What is done with the user who is picked.
 * @returns The element.
 * @example <UserPicker pick={({ user_id }) => conversation.addParticipants([user_id])} />
 */
export function UserPicker({ pick, exclude = [], find }: UserPickerProps): ReactElement {
  const language = useLanguage();
  const { texts } = language;
  const { Avatar } = useComponents();
  const list = useId();
  const picker = useUserPicker({ pick, exclude, find, language });
  const { text, offered, at, problem } = picker;
  return (
    <div className="parley-user-picker">
      <div>
        <input
          className="parley-field"
          role="combobox"
          aria-label={texts.userName}
          placeholder={texts.userName}
          aria-autocomplete="list"
          aria-expanded={offered.length > 0}
          aria-controls={list}
          aria-activedescendant={at >= 0 ? `${list}${at}` : undefined}
          autoCapitalize="none"
          autoComplete="off"
          value={text}
          onChange={({ target }) => picker.change(target.value)}
          onKeyDown={picker.move}
        />
        <button type="button" className="parley-plain" disabled={text.trim() === ''} onClick={picker.submit}>
          {texts.addUser}
        </button>
      </div>
      <ul id={list} role="listbox" aria-label={texts.people} hidden={offered.length === 0}>
        {offered.map((one, index) => (
          <li
            key={one.id}
            id={`${list}${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => picker.choose(one)}
          >
            <Avatar identities={[one]} size="small" />
            <bdi>{nameOf(one, language)}</bdi>
            <small>
              <bdi>{one.user_id}</bdi>
            </small>
          </li>
        ))}
      </ul>
      {problem !== '' && (
        <p className="parley-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

type Options = Pick<UserPickerProps, 'pick'> & {
  readonly exclude: readonly string[];
  readonly find: UserPickerProps['find'];
  readonly language: Language;
};

function useUserPicker({ pick, exclude, find, language }: Options) {
  const client = useClient();
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const [problem, setProblem] = useState('');
  const offered = useOffered(text.trim(), exclude, language);
  function choose(identity: BasicIdentity): void {
    change('');
    pick(identity);
  }
  function change(next: string): void {
    setText(next);
    setAt(-1);
    setProblem('');
  }
  function submit(): void {
    const name = text.trim();
    const one = offered[at] ?? offered.find(({ user_id: id }) => id === name);
    if (one) return choose(one);
    if (name === '') return;
    const found = find ? find(name) : client?.identity(name);
    const noSuchUser = language.fill(language.texts.noSuchUser, { name });
    found?.then(
      (identity) => (identity ? choose(identity) : setProblem(noSuchUser)),
      (error: { id?: string; message?: string }) => {
        const isMissing = error.id === 'not_found' || error.id === 'invalid_id';
        setProblem(isMissing ? noSuchUser : (error.message ?? String(error)));
      },
    );
  }
  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isComposing(event) || (step === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (step === undefined) submit();
    else setAt(Math.max(-1, Math.min(offered.length - 1, at + step)));
  }
  return { text, offered, at, problem, change, choose, submit, move };
}

/** Users of the conversations whose names begin, or have a word that begins, with a text, and behind them those whom the directory finds. */
function useOffered(text: string, exclude: readonly string[], language: Language): readonly BasicIdentity[] {
  const client = useClient();
  const { items } = useConversations();
  const known = useMemo(() => {
    const people = items.flatMap(({ others }) => others);
    return [...new Map(people.map((one) => [one.id, one])).values()];
  }, [items]);
  const asked = text.toLocaleLowerCase();
  const isMatch = (one: BasicIdentity): boolean =>
    [one.user_id, ...nameOf(one, language).split(' ')].some((word) =>
      word.toLocaleLowerCase().startsWith(asked),
    );
  const { users } = useUserSearch(text, { limit: MOST_OFFERED + exclude.length + 1 });
  const me = client?.user?.user_id;
  const others = [...known.filter(isMatch), ...users].filter(
    ({ user_id: id }) => id !== me && !exclude.includes(id),
  );
  return [...new Map(others.map((one) => [one.id, one])).values()].slice(0, MOST_OFFERED);
}
