import { Button, Group, Stack, type ButtonProps, type StackProps } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FailureNote } from '../failure-note.tsx';

/** The last attempt of what a form does. */
export type Attempt = { error: Error | null; isPending: boolean };

export type FormLook = {
  /** Text of the button that submits. Without it the fields have that button among them, or nobody may submit. */
  submitLabel?: string | undefined;
  submitProps?: Omit<ButtonProps, 'children'>;
  /** Puts a button before the one that submits. */
  cancel?: () => void;
  /** Buttons behind the one that submits. */
  beside?: ReactNode;
  failureTitle?: string;
};

type Props = FormLook &
  Pick<StackProps, 'maw' | 'gap'> & {
    submit: () => void;
    action?: Attempt;
    children: ReactNode;
    /** Shown below the buttons, such as what the platform answered. */
    result?: ReactNode;
  };

/** A form: its fields, why the last attempt failed, its buttons, and what came of it. */
export function Form({ submit, action, children, failureTitle, result, maw, gap, ...buttons }: Props) {
  return (
    <PlainForm submit={submit}>
      <Stack maw={maw} gap={gap}>
        {children}
        {action?.error && <FailureNote error={action.error} title={failureTitle} />}
        <FormButtons {...buttons} isPending={action?.isPending ?? false} />
        {result}
      </Stack>
    </PlainForm>
  );
}

type ButtonsProps = Omit<FormLook, 'failureTitle'> & { isPending: boolean };

function FormButtons({ submitLabel, submitProps, cancel, beside, isPending }: ButtonsProps) {
  if (submitLabel === undefined) return null;
  return (
    <Group justify={cancel && 'flex-end'}>
      {cancel && (
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      )}
      <Button type="submit" loading={isPending} {...submitProps}>
        {submitLabel}
      </Button>
      {beside}
    </Group>
  );
}

type PlainProps = { submit: () => void; className?: string; children: ReactNode };

/** A form that the page lays out itself. */
export function PlainForm({ submit, className, children }: PlainProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={onSubmit} className={className}>
      {children}
    </form>
  );
}
