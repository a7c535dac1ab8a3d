import { AppShell, Burger, Center, Container, Group, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { SignedIn } from '../api/console.ts';
import { SESSION } from '../api/session.ts';
import { FailureNote } from '../ui/failure-note.tsx';
import { Mark } from '../ui/icons.tsx';
import { AccountLink } from './account-link.tsx';
import { Navigation } from './navigation.tsx';
import { hasPresentedCode } from './presented-code.ts';
import { SignIn } from './sign-in.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** Surroundings of every page; without a session the sign-in, which leaves the address as it is. */
export function Frame() {
  const { data, error, refetch } = useQuery({ ...SESSION, enabled: !hasPresentedCode() });
  if (hasPresentedCode() || data?.session === null) return <SignIn methods={data?.methods ?? []} />;
  if (data) return <Shell session={data.session} />;
  return (
    <Center component="main" mih="100dvh" px="md">
      {error ? (
        <Container size="xs">
          <FailureNote
            error={error}
            title="The console cannot reach the platform"
            retry={() => void refetch()}
          />
        </Container>
      ) : (
        <Loader type="dots" aria-label="Loading the console" />
      )}
    </Center>
  );
}

function Shell({ session }: { session: SignedIn }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
    >
      <AppShell.Header>
        <Header name={session.person.name} isOpen={isOpen} toggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages">
        <Navigation onChoice={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** `isOpen`: whether a narrow window shows the navigation. */
function Header({ name, isOpen, toggle }: { name: string; isOpen: boolean; toggle: () => void }) {
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={isOpen ? 'Hide the navigation' : 'Show the navigation'}
        />
        <Link to="/" className="brand">
          <Mark />
          <Text fw={650}>Parley</Text>
          <Text c="dimmed" visibleFrom="xs">
            console
          </Text>
        </Link>
      </Group>
      <Group gap={4} wrap="nowrap">
        <ThemeSwitch />
        <AccountLink name={name} />
      </Group>
    </Group>
  );
}
