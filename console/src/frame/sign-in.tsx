import { Alert, Button, Center, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { signInWithCode, type SignInMethod } from '../api/console.ts';
import { isSignedOut } from '../api/failure.ts';
import { SESSION } from '../api/session.ts';
import { FailureNote } from '../ui/failure-note.tsx';
import { PlainForm } from '../ui/form/form.tsx';
import { Mark } from '../ui/icons.tsx';
import { takePresentedCode } from './presented-code.ts';
import { isAfterSignOut, oidcAddress, reasonOf } from './sign-in-address.ts';
import { ThemeSwitch } from './theme-switch.tsx';

type Props = { methods: readonly SignInMethod[] };

/** Page of a person without a session, at any address. A code that the address had is used at once. */
export function SignIn({ methods }: Props) {
  const signIn = useCode();
  const isRefused = signIn.error !== null && isSignedOut(signIn.error);
  return (
    <Center component="main" mih="100dvh" p="md" className="sign-in">
      <Paper withBorder p="xl" w="100%" maw={420} shadow="sm">
        <Stack>
          <Heading />
          {signIn.error && !isRefused && <FailureNote error={signIn.error} title="Failed to sign in" />}
          <ProviderSignIn methods={methods} />
          {(methods.includes('code') || signIn.isPending) && (
            <CodeForm
              isSecond={methods.includes('oidc')}
              isPending={signIn.isPending}
              isRefused={isRefused}
              submit={(code) => signIn.mutate(code)}
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

/** Signs in with a code, and then reads the session. */
function useCode() {
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
  return signIn;
}

function Heading() {
  return (
    <Group justify="space-between">
      <Group gap="sm">
        <Mark />
        <Title order={1}>Parley console</Title>
      </Group>
      <ThemeSwitch />
    </Group>
  );
}

/** The way through the identity provider, and how the last one ended. */
function ProviderSignIn({ methods }: Props) {
  const reason = reasonOf(location);
  return (
    <>
      {reason && (
        <Alert color="red" variant="light" role="alert">
          {reason}
        </Alert>
      )}
      {methods.includes('oidc') && (
        <Button component="a" href={oidcAddress(location)} fullWidth>
          Sign in with your identity provider
        </Button>
      )}
      {isAfterSignOut(location) && <StillSignedIn />}
    </>
  );
}

type CodeProps = {
  /** Another way comes before it. */
  isSecond: boolean;
  isPending: boolean;
  isRefused: boolean;
  submit: (code: string) => void;
};

function CodeForm({ isSecond, isPending, isRefused, submit }: CodeProps) {
  const [code, setCode] = useState('');
  return (
    <PlainForm submit={() => submit(code.trim())}>
      <Stack gap="sm">
        <TextInput
          label="One-time code"
          description="npm start prints a link with it. The link signs in by itself, once."
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={
            isRefused &&
            'This code was used already, or has expired. Make a new one: npm run parley -- admin create-sign-in-code'
          }
          required
          autoComplete="one-time-code"
          spellCheck={false}
        />
        <Button type="submit" variant={isSecond ? 'default' : 'filled'} loading={isPending}>
          Sign in with the code
        </Button>
      </Stack>
    </PlainForm>
  );
}

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
