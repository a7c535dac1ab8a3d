import { usePresence } from '@parley/react';
import { useMemo, type ReactElement } from 'react';
import { useLanguage } from './settings.ts';

/** Properties of the dot. */
export type PresenceDotProps = {
  readonly userId: string;
  /** Also says it in words, with the time when the user was last seen. */
  readonly hasText?: boolean;
};

/**
 * Shows whether a user is there; nothing while that is not known.
 *
 * @param props The user.
 * @returns The element.
 * @example <PresenceDot userId="grace" hasText />
 */
export function PresenceDot({ userId, hasText = false }: PresenceDotProps): ReactElement | null {
  const { texts, fill, short } = useLanguage();
  const presence = usePresence(useMemo(() => [userId], [userId]))[userId];
  if (!presence) return null;
  const { status, last_seen_at: seen } = presence;
  const shown = status === 'away' || status === 'busy' || status === 'available' ? status : 'offline';
  const words =
    shown === 'offline' && seen
      ? fill(texts.lastSeen, { time: short(new Date(seen)) })
      : texts[shown === 'available' ? 'online' : shown];
  return (
    <span className="parley-presence" data-presence={shown} title={hasText ? undefined : words}>
      <span className={hasText ? undefined : 'parley-hidden'}>{words}</span>
    </span>
  );
}
