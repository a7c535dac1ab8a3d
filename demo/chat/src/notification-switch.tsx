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
        onClick={() => void of.toggle()}
      >
        <span aria-hidden="true">🔔 </span>
        Notifications: {LABELS[status]}
      </button>
      {problem && (
        <span className="problem" role="status">
          {problem}
        </span>
      )}
    </>
  );
}
