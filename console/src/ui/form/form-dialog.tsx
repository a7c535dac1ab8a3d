import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FailureNote } from './failure-note.tsx';

/** A form in a dialog. The failure of its last attempt stays visible. */
export function FormModal({
  title,
  isOpen,
  close,
  submit,
  submitLabel,
  action,
  children,
}: {
  title: string;
  isOpen: boolean;
  close: () => void;
  submit: () => void;
  submitLabel: string;
  action: { error: Error | null; isPending: boolean };
  children: ReactNode;
}) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          {action.error && <FailureNote error={action.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={action.isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
