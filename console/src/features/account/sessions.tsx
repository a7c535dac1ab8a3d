import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  endSession,
  signOut,
  type ListedSession,
  type SignedIn,
  type SignInMethod,
} from '../../api/console.ts';
import { SESSION, useMay } from '../../api/session.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Fields } from '../../ui/fields.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { AllSessions } from './all-sessions.tsx';
import { OWN_SESSIONS } from './queries.ts';

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    id: 'created',
    header: 'Signed in',
    width: '1fr',
    cell: ({ created_at, is_current }) => (
      <>
        <Time at={created_at} /> {is_current && <Tag tone="info">this one</Tag>}
      </>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    width: '1fr',
    isWide: true,
    cell: ({ used_at }) => <Time at={used_at} />,
  },
  {
    id: 'method',
    header: 'How',
    width: '1fr',
    isWide: true,
    cell: ({ sign_in }) => howOf(sign_in),
  },
  {
    id: 'expires',
    header: 'Ends',
    width: '1fr',
    isWide: true,
    cell: ({ expires_at }) => <Time at={expires_at} />,
  },
  {
    id: 'end',
    header: 'Actions',
    width: '90px',
    cell: ({ id }) => (
      <ConfirmButton
        label="End"
        title="End the session?"
        effect="The browser of this session has to sign in again, at once."
        run={() => endSession(id)}
        done="The session was ended."
        changes={[OWN_SESSIONS.queryKey, SESSION.queryKey]}
      />
    ),
  },
];

function howOf(method: SignInMethod): string {
  return method === 'code' ? 'one-time code' : 'identity provider';
}

/** Issuer of people who signed in with a code. */
const LOCAL_ISSUER = 'local';

export function SessionsPage() {
  const { data } = useQuery(SESSION);
  const ownsAll = useMay('owner');
  const session = data?.session ?? undefined;
  const { leave, error, isPending } = useSignOut(session);
  return (
    <Page
      title="Your account"
      about="Who you are to this console, and the browsers in which you are signed in."
      actions={
        <Button variant="default" onClick={leave} loading={isPending}>
          Sign out
        </Button>
      }
    >
      {error && <FailureNote error={error} title="Failed to sign out" />}
      {session && <PersonSection session={session} />}
      <OwnSessions />
      {session && ownsAll && <AllSessions ownId={session.id} />}
    </Page>
  );
}

/** Signs out, and goes on to a new page, which has nothing of what was read, nor any token. */
function useSignOut(session: SignedIn | undefined) {
  const { mutate, error, isPending } = useAction({ run: signOut, changes: [] });
  const isOfProvider = session?.person.issuer !== LOCAL_ISSUER;
  const next = isOfProvider ? '/console/sign-in?signed_out' : '/console/';
  return { error, isPending, leave: () => mutate(undefined, { onSuccess: () => location.assign(next) }) };
}

function OwnSessions() {
  const query = useQuery(OWN_SESSIONS);
  return (
    <Loaded query={query} what="your sessions">
      {(sessions) => (
        <FilteredTable
          label="Your sessions"
          rows={sessions}
          columns={COLUMNS}
          idOf={({ id }) => id}
          filter={{
            hint: 'Filter by day or way of signing in',
            textsOf: ({ created_at, sign_in }) => [created_at, howOf(sign_in)],
          }}
          icon="sessions"
          empty={<Empty icon="sessions" title="There is no session" />}
        />
      )}
    </Loaded>
  );
}

function PersonSection({ session: { person, roles, expires_at } }: { session: SignedIn }) {
  const granted = roles.map(({ role, app_id }) => `${role} of ${app_id ?? 'all applications'}`);
  return (
    <Section title="Person">
      <Fields
        rows={[
          ['Name', person.name],
          ['Issuer', person.issuer],
          ['Subject', person.subject],
          ['Roles', granted.join(', ')],
          ['Signed in until', <Time key="until" at={expires_at} />],
        ]}
      />
    </Section>
  );
}
