import type { BasicIdentity } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { nameOf } from './names.ts';
import { useLanguage } from './settings.ts';

/** Properties of the menu. */
export type BlockMenuProps = {
  readonly identity: BasicIdentity;
  /** More buttons of the application. */
  readonly children?: ReactNode;
};

/**
 * A menu of a user, in which the user blocks them or takes that back.
 *
 * @param props The user, and more buttons.
 * @returns The element.
 * @example <BlockMenu identity={other} />
 */
export function BlockMenu({ identity, children }: BlockMenuProps): ReactElement {
  const language = useLanguage();
  const { texts, fill } = language;
  const name = nameOf(identity, language);
  const place = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { isBlocked, problem, toggle } = useBlocking(identity.user_id, isOpen);
  return (
    <details
      ref={place}
      className="parley-menu"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        event.stopPropagation();
        if (place.current) place.current.open = false;
        place.current?.querySelector('summary')?.focus();
      }}
    >
      <summary className="parley-button" aria-label={`${texts.more}: ${name}`}>
        <Icon name="more" />
      </summary>
      <div>
        <button type="button" disabled={isBlocked === undefined} onClick={toggle}>
          {fill(isBlocked ? texts.unblock : texts.block, { name })}
        </button>
        {children}
        {problem !== '' && <p className="parley-problem">{problem}</p>}
      </div>
    </details>
  );
}

/** Whether the user blocks another one; undefined until it was read, which `isAsked` starts. */
function useBlocking(userId: string, isAsked: boolean) {
  const client = useClient();
  const [isBlocked, setBlocked] = useState<boolean>();
  const [problem, setProblem] = useState('');
  const fail = (error: Error): void => setProblem(error.message);
  useEffect(() => {
    if (!isAsked) return;
    setProblem('');
    client?.blocks.list().then((ids) => setBlocked(ids.includes(userId)), fail);
  }, [client, userId, isAsked]);
  function toggle(): void {
    const change = isBlocked ? client?.blocks.remove(userId) : client?.blocks.add(userId);
    change?.then(() => setBlocked(!isBlocked), fail);
  }
  return { isBlocked, problem, toggle };
}
