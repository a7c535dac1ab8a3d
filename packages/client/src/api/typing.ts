import { realId } from '../pending/act.ts';
import type { Host } from './host.ts';

/** A signal is repeated after this many milliseconds of typing. */
const REPEAT_MS = 4_000;
/** Typing is considered ended after this many milliseconds without a keystroke. */
const IDLE_MS = 6_000;

type Typing = { sentAt: number; idle: ReturnType<typeof setTimeout> };

/** Sends typing signals: at the start, every few seconds, and at the end. */
export function createTyping(host: Host): (conversation: string, isTyping: boolean) => void {
  const typing = new Map<string, Typing>();

  function signal(conversation: string, action: 'started' | 'finished'): void {
    const { ctx } = host;
    if (!ctx) return;
    const object = { id: realId(ctx, conversation) };
    // A lost signal is not repeated: typing is ephemeral.
    host
      .ask({ name: 'signal', data: { type: 'typing_indicator', object, data: { action } } })
      .catch(() => undefined);
  }
  function end(conversation: string): void {
    const known = typing.get(conversation);
    if (!known) return;
    clearTimeout(known.idle);
    typing.delete(conversation);
    signal(conversation, 'finished');
  }
  return (conversation, isTyping) => {
    if (!isTyping) return end(conversation);
    const known = typing.get(conversation);
    clearTimeout(known?.idle);
    const isDue = !known || Date.now() - known.sentAt >= REPEAT_MS;
    if (isDue) signal(conversation, 'started');
    const idle = setTimeout(() => end(conversation), IDLE_MS);
    typing.set(conversation, { sentAt: isDue ? Date.now() : known.sentAt, idle });
  };
}
