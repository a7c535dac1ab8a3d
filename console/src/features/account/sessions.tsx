import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  endSession,
  listSessions,
  SESSION,
  signOut,
  useMay,
  type ListedSession,
  type SignedIn,
  type SignInMethod,
} from '../../api/session.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';
import { AllSessions } from './all-sessions.tsx';
import { Tag } from '../../ui/tag.tsx';

const SESSIONS = queryOptions({ queryKey: ['console-sessions'], queryFn: listSessions });

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
        changes={[SESSIONS.queryKey, SESSION.queryKey]}
      />
    ),
  },
];

function howOf(method: SignInMethod): string {
  return method === 'code' ? 'one-time code' : 'identity provider';
}

/** Of people who signed in with a code. */
const LOCAL_ISSUER = 'local';

export function SessionsPage() {
  const { data } = useQuery(SESSION);
  const query = useQuery(SESSIONS);
  const ownsAll = useMay('owner');
  const leave = useAction({ run: signOut, changes: [] });
  // A new page has nothing of what was read, nor any token.
  const isOfProvider = data?.session !== null && data?.session?.person.issuer !== LOCAL_ISSUER;
  const next = isOfProvider ? '/console/sign-in?signed_out' : '/console/';
  const signOutNow = () => leave.mutate(undefined, { onSuccess: () => location.assign(next) });
  return (
    <Page
      title="Your account"
      about="Who you are to this console, and the browsers in which you are signed in."
      actions={
        <Button variant="default" onClick={signOutNow} loading={leave.isPending}>
          Sign out
        </Button>
      }
    >
      {leave.error && <FailureNote error={leave.error} title="Failed to sign out" />}
      {data?.session && <PersonSection session={data.session} />}
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
      {data?.session && ownsAll && <AllSessions ownId={data.session.id} />}
    </Page>
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
