import { useSyncExternalStore, type ReactElement } from 'react';
import type { Notifications, NotificationStatus } from './notifications.ts';

const LABELS: Record<NotificationStatus, string> = {
  on: 'on',
  off: 'off',
  blocked: 'blocked by the browser',
  unavailable: 'not available on this address',
};

/** Switches the notifications of a user in this browser, and says how they are. */
export function NotificationSwitch({ of }: { of: Notifications }): ReactElement {
  const { status, isBusy, problem } = useSyncExternalStore(of.subscribe, of.getSnapshot);
  const isPossible = status === 'on' || status === 'off';
  return (
    <>
      <button
        role="switch"
        aria-checked={status === 'on'}
        disabled={!isPossible || isBusy}
        title={`Notifications: ${LABELS[status]}`}
        onClick={() => void of.toggle()}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15ZM10 21h4" />
        </svg>
        <span className="hidden">Notifications: {LABELS[status]}</span>
      </button>
      {problem && (
        <span className="problem" role="status">
          {problem}
        </span>
      )}
    </>
  );
}
