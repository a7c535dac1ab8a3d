import { Text, TextInput, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Changes } from '../use-action.ts';
import { FormDialog } from './form-dialog.tsx';

type Confirmation = {
  /** On the button that asks and on the one that does it. */
  label: string;
  title: string;
  /** Says what it does, and whether it can be undone. */
  effect: ReactNode;
  run: () => Promise<unknown>;
  /** Said afterwards. */
  done: string;
  changes: Changes;
  /** To be typed before it can be done. */
  typed?: string | undefined;
  after?: () => void;
};

type Props = Confirmation & Omit<ButtonProps, 'children'>;

/** Asks before it does what cannot be taken back lightly. */
export function ConfirmButton({ label, title, effect, run, done, changes, typed, after, ...opener }: Props) {
  const [text, setText] = useState('');
  const present = { label, title, effect, run, done, color: opener.color ?? 'red' };
  // The dialog asks and does what it was opened for, whatever changes meanwhile.
  const [asked, ask] = useState(present);
  const isTyped = typed === undefined || text === typed;
  return (
    <FormDialog
      {...{ title: asked.title, run: asked.run, done: asked.done, changes, after }}
      opener={{ ...opener, label }}
      size="md"
      submitLabel={asked.label}
      submitProps={{ color: asked.color, disabled: !isTyped }}
      renew={() => {
        setText('');
        ask(present);
      }}
    >
      <Text size="sm" component="div">
        {asked.effect}
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
    </FormDialog>
  );
}
