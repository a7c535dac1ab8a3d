import type { Conversation, ConversationType } from '@parley/client';
import { useConnection, useMessages } from '@parley/react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useLanguage, type Language } from './settings.ts';
import { useRules } from './types.ts';

const SECOND_MS = 1000;
/** The longest time that a browser's timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why the user may not write in a conversation at the moment, in the words of the language; undefined if they may. */
export function useSilence(conversation: Conversation): string | undefined {
  const language = useLanguage();
  useRules(conversation);
  useLifted(conversation);
  useMuteEnd(conversation);
  return silenceOf(conversation, language);
}

/** Renders again when the user's restriction ends by the clock: with the time of the last such end. */
export function useMuteEnd({ restriction }: Conversation): number {
  const { until } = restriction ?? {};
  return useNow(until ? Date.parse(until) : undefined);
}

function silenceOf(conversation: Conversation, { texts, fill, moment }: Language): string | undefined {
  const { restriction, frozen } = conversation;
  if (!conversation.isParticipant) return texts.former;
  if (restriction && !isOver(restriction.until)) {
    const { until, reason } = restriction;
    const muted = until ? fill(texts.mutedUntil, { time: moment(new Date(until)) }) : texts.muted;
    return reason ? `${muted} ${fill(texts.reasonGiven, { reason })}` : muted;
  }
  if (conversation.can('send')) return undefined;
  return frozen && !conversation.can('send_when_frozen') ? texts.frozen : texts.readOnly;
}

/** Reads the conversation at each connection while the user is muted in the whole application: no packet says that this ends. */
function useLifted(conversation: Conversation): void {
  const { status } = useConnection();
  const latest = useRef(conversation);
  latest.current = conversation;
  const isEverywhere = conversation.restriction?.scope === 'app';
  useEffect(() => {
    // Without an answer the next connection asks again.
    if (isEverywhere && status === 'online') latest.current.refresh().catch(() => undefined);
  }, [conversation.id, isEverywhere, status]);
}

export function isOver(until: string | null): boolean {
  return until !== null && Date.parse(until) <= Date.now();
}

/** Renders again at a time, so that what has ended then is gone: with that time, or 0 before. */
export function useNow(at: number | undefined): number {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (at === undefined || at <= Date.now()) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(at - Date.now() + 1, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [at, now]);
  return now;
}

/** Seconds between two messages of the user; 0 without slow mode. */
export function slowModeOf(conversation: Conversation, rules: ConversationType | undefined): number {
  if (conversation.can('skip_slow_mode')) return 0;
  return conversation.slowModeInSeconds || (rules?.slow_mode_in_seconds ?? 0);
}

type SlowProps = {
  readonly conversation: Conversation;
  /** Seconds between two messages. */
  readonly interval: number;
  /** Told whether the user has to wait. */
  readonly wait: (isWaiting: boolean) => void;
};

/** Says that slow mode is on, and counts down to the user's next message. */
export function SlowMode({ conversation, interval, wait }: SlowProps): ReactElement {
  const { texts, fill, duration } = useLanguage();
  const left = useSecondsLeft(conversation, interval);
  useEffect(() => {
    wait(left > 0);
    return () => wait(false);
  }, [left > 0, wait]);
  return (
    <p className="parley-notes">
      {fill(texts.slowMode, { time: duration(interval) })}{' '}
      {/* A screen reader reads it where the user asks for it, not at each second. */}
      <span role="timer">{left > 0 && fill(texts.writeAgain, { time: duration(left) })}</span>
    </p>
  );
}

/**
 * Seconds until the user may write again. A message counts from the time at which this device saw that it was sent, if that is
 * earlier than the time of the platform: the clock of the device may be behind.
 */
function useSecondsLeft({ id }: Conversation, interval: number): number {
  const { items } = useMessages(id);
  const last = items.findLast(({ isOwn, state }) => isOwn && state !== 'failed');
  const seen = useRef<readonly [id: string, at: number]>(['', 0]);
  if (last?.state === 'sent' && last.id !== seen.current[0]) seen.current = [last.id, Date.now()];
  const sentAt = last?.sentAt === undefined ? -Infinity : Math.min(Date.parse(last.sentAt), seen.current[1]);
  const [now, setNow] = useState(() => Date.now());
  const since = Math.max(0, (now - sentAt) / SECOND_MS);
  const left = last?.state === 'sending' ? interval : Math.max(0, Math.ceil(interval - since));
  useEffect(() => {
    setNow(Date.now());
    if (left === 0) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [left === 0, last?.id, last?.state]);
  return left;
}
