import { Box, Notification } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Icon } from './icons.tsx';

type Toast = { id: number; text: string };

const SHOWN_MS = 4_000;

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says for some seconds that something was done. */
export function announce(text: string): void {
  const toast = { id: ++lastId, text };
  change([...shown, toast]);
  setTimeout(() => close(toast.id), SHOWN_MS);
}

function close(id: number): void {
  change(shown.filter((one) => one.id !== id));
}

function change(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <Box className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text }) => (
        <Notification
          key={id}
          color="teal"
          withBorder
          icon={<Icon name="check" />}
          onClose={() => close(id)}
          closeButtonProps={{ 'aria-label': 'Dismiss' }}
        >
          {text}
        </Notification>
      ))}
    </Box>
  );
}
