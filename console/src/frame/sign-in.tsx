import { Alert, Button, Center, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { SESSION, signInWithCode, type SignInMethod } from '../api/session.ts';
import { describeFailure } from '../api/failure.ts';
import { FailureNote } from '../ui/failure-note.tsx';
import { Mark } from '../ui/icons.tsx';
import { takePresentedCode } from './presented-code.ts';
import { ThemeSwitch } from './theme-switch.tsx';

const SIGN_IN = '/console/sign-in';
const REASONS: Readonly<Record<string, string>> = {
  sign_in_expired: 'The sign-in took too long. Begin again.',
  sign_in_refused: 'The identity provider refused the sign-in.',
  no_role: 'You have no role in this console.',
  identity_provider_unavailable: 'The identity provider cannot be reached.',
  sign_out_unavailable: 'The identity provider has no address for signing out. Sign out on its own pages.',
};

/** What a person without a session sees, at any address. A code that the address had is used at once. */
export function SignIn({ methods }: { methods: readonly SignInMethod[] }) {
  const queries = useQueryClient();
  const signIn = useMutation({
    mutationFn: signInWithCode,
    onSettled: () => queries.fetchQuery({ ...SESSION, staleTime: 0 }),
  });
  const { mutate } = signIn;
  useEffect(() => {
    document.title = 'Sign in · Parley console';
    const presented = takePresentedCode();
    if (presented !== undefined) mutate(presented);
  }, [mutate]);
  const reason = reasonOf(location);
  const isRefused = signIn.error !== null && describeFailure(signIn.error).status === 401;
  return (
    <Center component="main" mih="100dvh" p="md" className="sign-in">
      <Paper withBorder p="xl" w="100%" maw={420} shadow="sm">
        <Stack>
          <Group justify="space-between">
            <Group gap="sm">
              <Mark />
              <Title order={1}>Parley console</Title>
            </Group>
            <ThemeSwitch />
          </Group>
          {signIn.error && !isRefused && <FailureNote error={signIn.error} title="Failed to sign in" />}
          {reason && (
            <Alert color="red" variant="light" role="alert">
              {reason}
            </Alert>
          )}
          {methods.includes('oidc') && (
            <Button component="a" href={oidcAddress()} fullWidth>
              Sign in with your identity provider
            </Button>
          )}
          {isAfterSignOut(location) && <StillSignedIn />}
          {(methods.includes('code') || signIn.isPending) && (
            <CodeForm
              isSecond={methods.includes('oidc')}
              isPending={signIn.isPending}
              isRefused={isRefused}
              submit={(code) => mutate(code)}
            />
          )}
          {methods.length === 0 && !signIn.isPending && (
            <Text c="dimmed" size="sm">
              No way to sign in is configured. The operator sets up an identity provider for the gateway.
            </Text>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

function CodeForm({
  isSecond,
  isPending,
  isRefused,
  submit: submitCode,
}: {
  /** Another way comes before it. */
  isSecond: boolean;
  isPending: boolean;
  isRefused: boolean;
  submit: (code: string) => void;
}) {
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    submitCode(code.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="One-time code"
          description="npm start prints a link with it. The link signs in by itself, once."
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isRefused && 'This code was used already, or has expired. Take a new one.'}
          required
          autoComplete="one-time-code"
          spellCheck={false}
        />
        <Button type="submit" variant={isSecond ? 'default' : 'filled'} loading={isPending}>
          Sign in with the code
        </Button>
      </Stack>
    </form>
  );
}

/** After signing out of the console alone. */
function StillSignedIn() {
  return (
    <Text size="sm" role="status">
      You are signed out of the console, but not of your identity provider: on a computer that others use,{' '}
      <a href="/console/sign-out/oidc" className="text-link">
        sign out there too
      </a>
      .
    </Text>
  );
}

function isAfterSignOut({ pathname, search }: Location): boolean {
  return pathname === SIGN_IN && new URLSearchParams(search).has('signed_out');
}

function oidcAddress(): string {
  const returnTo = location.pathname === SIGN_IN ? '/console/' : location.pathname + location.search;
  return `/console/sign-in/oidc?return_to=${encodeURIComponent(returnTo)}`;
}

/** Why the last sign-in at the identity provider did not end well. docs/console.md#sign-in-with-openid-connect */
function reasonOf({ pathname, search }: Location): string | undefined {
  const error = pathname === SIGN_IN ? new URLSearchParams(search).get('error') : null;
  return error === null ? undefined : (REASONS[error] ?? 'The sign-in failed. Begin again.');
}
