import { ACCESS, type Access } from './access.ts';

const HEAD = `# The users of NATS and their permissions, to be included in a server's configuration. Their passwords are environment variables of the
# server. Written from deploy/nats/access.ts: UPDATE_DOCS=1 npm test -- deploy/test/nats-users
`;
const STREAM_CALLS = {
  read: ['INFO'],
  create: ['INFO', 'CREATE'],
  empty: ['INFO', 'CREATE', 'DELETE'],
  change: ['INFO', 'CREATE', 'UPDATE'],
} as const;

/** The text of infra/nats-users.conf. Each user's permissions have a name, so that a second user can have the same. */
export function usersConfiguration(): string {
  const names = Object.keys(ACCESS);
  const permissions = names.map((name) => permissionsOf(name, ACCESS[name]!));
  const users = [
    ...names.map((name) => `{ user: ${name}, password: ${passwordOf(name)}, permissions: $${name}_may }`),
    `# For people: everything.`,
    `{ user: operator, password: ${passwordOf('operator')} }`,
  ];
  const authorization = `authorization {\n  users: [\n${users.map((user) => `    ${user}\n`).join('')}  ]\n}\n`;
  return [HEAD, ...permissions, authorization].join('\n');
}

function passwordOf(name: string): string {
  return `$NATS_PASSWORD_${name.toUpperCase()}`;
}

function permissionsOf(name: string, access: Access): string {
  const { events = [], live = [], hints = [], reads = [], consumers = {}, stream } = access;
  const publish = [
    ...events.map((kind) => `event.*.${kind}`),
    ...live.map((channel) => `live.*.*.${channel}`),
    ...hints,
    ...(stream ? STREAM_CALLS[stream].map((call) => `$JS.API.STREAM.${call}.EVENTS`) : []),
    ...Object.entries(consumers).flatMap(consumerSubjects),
  ];
  // An empty list would allow everything.
  const published = publish.length > 0 ? `[\n${lines(publish)}  ]` : '{ deny: ">" }';
  return `${name}_may {\n  publish: ${published}\n  subscribe: [\n${lines([`_INBOX_${name}.>`, ...reads])}  ]\n}\n`;
}

/** The server compares the filter that a request to create a consumer has with that of the subject. */
function consumerSubjects([durable, filter]: [string, string]): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.EVENTS.${durable}.${filter}`,
    `$JS.API.CONSUMER.INFO.EVENTS.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.EVENTS.${durable}`,
    `$JS.ACK.EVENTS.${durable}.>`,
  ];
}

function lines(subjects: readonly string[]): string {
  return subjects.map((subject) => `    "${subject}"\n`).join('');
}
