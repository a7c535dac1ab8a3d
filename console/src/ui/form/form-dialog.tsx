import { Button, Modal, type ButtonProps, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { useAction, type Changes } from '../use-action.ts';
import { Form, type FormLook } from './form.tsx';

/** The button that opens a dialog: small, unless it is the main action of its page. */
type Opener = Omit<ButtonProps, 'children'> & { label: string; icon?: IconName };

type Props<Result> = Pick<FormLook, 'submitLabel' | 'submitProps'> &
  Pick<ModalProps, 'size'> & {
    opener: Opener;
    title: string;
    run: () => Promise<Result>;
    /** Said afterwards. */
    done?: string | undefined;
    changes: Changes;
    /** Called once it is done. */
    after?: ((result: Result) => void) | undefined;
    /** Called before it opens: the form begins anew. Otherwise it keeps what was typed, and the failure of the last attempt. */
    renew?: () => void;
    children: ReactNode;
  };

/** A button, and the dialog with a form that it opens. */
export function FormDialog<Result>({
  opener,
  title,
  size = 'lg',
  run,
  done,
  changes,
  after,
  renew,
  ...form
}: Props<Result>) {
  const [isOpen, { open, close }] = useDisclosure();
  const action = useAction({ run, done, changes });
  const show = () => {
    if (renew) {
      action.reset();
      renew();
    }
    open();
  };
  const settle = (result: Result) => {
    close();
    after?.(result);
  };
  const submit = () => action.mutate(undefined, { onSuccess: settle });
  return (
    <>
      <OpenButton {...opener} open={show} />
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Form {...form} submit={submit} action={action} cancel={close} />
      </Modal>
    </>
  );
}

function OpenButton({ label, icon, open, ...props }: Opener & { open: () => void }) {
  return (
    <Button
      size={icon ? 'sm' : 'xs'}
      variant={icon ? 'filled' : 'default'}
      leftSection={icon && <Icon name={icon} size={16} />}
      {...props}
      onClick={open}
    >
      {label}
    </Button>
  );
}
