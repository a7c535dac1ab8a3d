import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from './icons.tsx';

const SETTLE_MS = 250;

/** A filter whose text is a part of the address: `change` is called once the person pauses. */
export function SearchField({
  label,
  value,
  change,
}: {
  label: string;
  value: string;
  change: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback(change, SETTLE_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      leftSection={<Icon name="search" size={16} />}
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value);
      }}
      className="search-field"
    />
  );
}
