import { Button, Group, Modal, Stack, Text, TextInput, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type FormEvent, type ReactNode } from 'react';
import { FailureNote } from './failure-note.tsx';
import { useAction } from './use-action.ts';

type Confirmation = {
  /** On the button that asks and on the one that does it. */
  label: string;
  title: string;
  /** What it does, and whether it can be undone. */
  effect: ReactNode;
  run: () => Promise<unknown>;
  /** Said afterwards. */
  done: string;
  /** Keys of queries that have other answers now. */
  changes: readonly (readonly unknown[])[];
  /** To be typed before it can be done. */
  typed?: string | undefined;
  after?: () => void;
};

/** Asks before it does what cannot be taken back lightly. */
export function ConfirmButton({
  label,
  title,
  effect,
  run,
  done,
  changes,
  typed,
  after,
  ...props
}: Confirmation & Omit<ButtonProps, 'children'>) {
  const [isOpen, { open, close }] = useDisclosure();
  const action = useAction({ run, done, changes });
  const confirm = () =>
    action.mutate(undefined, {
      onSuccess: () => {
        close();
        after?.();
      },
    });
  const show = () => {
    action.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" {...props} onClick={show}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Question {...{ label, effect, typed, close, confirm, action }} color={props.color ?? 'red'} />
      </Modal>
    </>
  );
}

type Asked = Pick<Confirmation, 'label' | 'effect' | 'typed'> & {
  color: ButtonProps['color'];
  close: () => void;
  confirm: () => void;
  action: { error: Error | null; isPending: boolean };
};

function Question({ label, effect, typed, color, close, confirm, action }: Asked) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {effect}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={`Type “${typed}” to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
            autoComplete="off"
          />
        )}
        {action.error && <FailureNote error={action.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={color}
            loading={action.isPending}
            disabled={typed !== undefined && text !== typed}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
