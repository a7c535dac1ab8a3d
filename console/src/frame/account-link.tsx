import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../ui/icons.tsx';

/** The way to the page about the person who is signed in. */
export function AccountLink({ name }: { name: string }) {
  const label = `Account of ${name}`;
  return (
    <ActionIcon
      variant="light"
      size="lg"
      radius="xl"
      aria-label={label}
      title={label}
      renderRoot={(props) => <Link {...props} to="/account" />}
    >
      <Icon name="person" />
    </ActionIcon>
  );
}
