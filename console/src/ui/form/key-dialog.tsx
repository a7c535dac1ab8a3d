import { Group, SegmentedControl, Text, Textarea, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { SecretModal } from '../secret-modal.tsx';
import type { Changes } from '../use-action.ts';
import { FormDialog } from './form-dialog.tsx';
import { useValues, type TextField } from './use-values.ts';

const SOURCES = [
  { value: 'made', label: 'Make a pair' },
  { value: 'given', label: 'I have a public key' },
];

type Props = {
  opener: ButtonProps & { label: string };
  title: string;
  submitLabel: string;
  /** Says who makes a pair, and what its private key is for. */
  aboutPair: ReactNode;
  /** Which public keys are accepted. */
  accepted: string;
  fileName: string;
  /** Registers a public key, or makes a pair when there is none, and gives the private key of that pair. */
  register: (publicKey: string | undefined) => Promise<string | undefined>;
  done: string;
  changes: Changes;
};

/** Registers a public key that a person has, or that of a new pair, whose private key is shown once. */
export function KeyDialog({ register, aboutPair, accepted, fileName, ...dialog }: Props) {
  const { values, change, text, choice } = useValues({ source: 'made', publicKey: '' });
  const [secret, setSecret] = useState<string>();
  const isGiven = values.source === 'given';
  const after = (privateKey: string | undefined) => {
    change({ publicKey: '' });
    setSecret(privateKey || undefined);
  };
  return (
    <>
      <FormDialog {...dialog} run={() => register(isGiven ? values.publicKey : undefined)} after={after}>
        <Group>
          <SegmentedControl {...choice('source')} aria-label="Where the key comes from" data={SOURCES} />
        </Group>
        {isGiven ? (
          <PublicKey {...text('publicKey')} accepted={accepted} />
        ) : (
          <Text size="sm">{aboutPair}</Text>
        )}
      </FormDialog>
      <SecretModal {...{ secret, fileName }} title="The private key" close={() => setSecret(undefined)} />
    </>
  );
}

function PublicKey({ accepted, ...input }: TextField & { accepted: string }) {
  return (
    <Textarea
      {...input}
      label="Public key"
      description={accepted}
      placeholder="-----BEGIN PUBLIC KEY-----"
      required
      autosize
      minRows={5}
      maxRows={12}
      classNames={{ input: 'code-input' }}
    />
  );
}
