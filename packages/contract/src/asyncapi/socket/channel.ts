import Type from 'typebox';
import { limits } from '../../limits.ts';
import { toJsonSchema } from '../../openapi/components.ts';
import { CLOSE_CODES } from '../../socket/close-codes.ts';
import type { Channel } from '../channel.ts';
import { PACKET_OPERATIONS } from './packets.ts';
import { REQUEST_OPERATIONS } from './requests.ts';

const QUERY = Type.Object({
  session_token: Type.Optional(Type.String({ description: 'A session token.' })),
});

const HEADERS = Type.Object({
  'Sec-WebSocket-Protocol': Type.String({
    description:
      'Subprotocols, separated by commas: `svc-4.0`, `svc-3.1`, `svc-3.0` or several of them, and with one of the first two also `svc-token.<token>`. The gateway echoes the newest version.',
    examples: ['svc-3.1, svc-token.2Lk9w', 'svc-3.0', 'svc-4.0, svc-3.1, svc-token.2Lk9w'],
  }),
  Authorization: Type.Optional(Type.String({ description: '`Svc session-token="…"`.' })),
});

/** Seconds. */
const KEEP_ALIVE = { ping_every: limits.pingSeconds, dropped_after_silence: limits.silenceSeconds };

const SUBPROTOCOLS = {
  'svc-3.0': 'Request and response, changes, signals, operations. A refused upgrade is an HTTP answer.',
  'svc-3.1':
    'Also a first packet `hello`, `error` packets for what was dropped, and a close code and reason for a refused upgrade.',
  'svc-4.0':
    'The same as lean packets: bare ids, no addresses and no nulls; the unread count comes with each new message, which the sending socket does not get.',
};

const DESCRIPTION = `One socket of one session. Take its address from the link \`websocket\` of \`GET /\` or \`POST /sessions\`.

**Packets** are JSON texts of at most ${limits.requestBodyBytes.toLocaleString('en')} bytes. Each packet of the gateway has a \`counter\`, which counts all of them from 0 on, and a server \`timestamp\`.

**Requests** start in the order of their arrival; responses may come in another order. What a request changes is sent to all sockets of all users concerned, the requesting one included, unless its description says otherwise.

**Reconnecting**: open a new socket and send \`Event.replay\` with the \`timestamp\` of the latest \`hello\`, \`change\` or \`operation\`, less the seconds that \`replay_overlap_in_seconds\` of \`hello\` says; until a replay has succeeded, keep the time with which it began. Changes may repeat, none is skipped. Signals are neither stored nor replayed; presence is read by \`Presence.sync\`.

**Keep-alive**: the gateway pings every ${limits.pingSeconds} seconds, and drops a socket from which nothing has come for ${limits.silenceSeconds} seconds. Answering a ping is enough, which WebSocket libraries and browsers do by themselves.

**Refused upgrades** answer 400 (no known subprotocol), 401 (no valid token), 403 (origin not allowed), 404 (another path), 429 or 503 without a body; with \`svc-3.1\` or \`svc-4.0\` offered the socket is accepted and closed at once with one of the codes from 4400 on, and the id of the error as reason.

${closeCodeTable()}`;

function closeCodeTable(): string {
  const rows = Object.entries(CLOSE_CODES).map(([code, { description }]) => `| ${code} | ${description} |`);
  return ['| close code | meaning |', '|---|---|', ...rows].join('\n');
}

const BASE = {
  servers: [{ $ref: '#/servers/gateway' }],
  bindings: {
    ws: {
      method: 'GET',
      query: toJsonSchema(QUERY, new Map()),
      headers: toJsonSchema(HEADERS, new Map()),
      bindingVersion: '0.1.0',
    },
  },
};

/** The WebSocket of clients. */
export const SOCKET: Channel = {
  id: 'socket',
  object: {
    address: '/websocket',
    title: 'WebSocket',
    description: DESCRIPTION,
    ...BASE,
    'x-subprotocols': SUBPROTOCOLS,
    'x-keep-alive-seconds': KEEP_ALIVE,
    'x-close-codes': CLOSE_CODES,
  },
  operations: [...REQUEST_OPERATIONS, ...PACKET_OPERATIONS],
};

/** Other addresses of the same. */
export const SOCKET_ALIASES: Readonly<Record<string, object>> = {
  socketOfShard: {
    address: '/websocket/{shard}',
    title: 'WebSocket of a shard',
    description:
      'The same, as the links name it where a deployment has several shards: a load balancer leads the users of one shard to the same gateways. Every gateway serves every user at any of these addresses.',
    parameters: { shard: { description: 'A number, from the link.', examples: ['3'] } },
    ...BASE,
  },
  socketAtRoot: {
    address: '/',
    title: 'WebSocket at the root',
    description: 'The same at the base address.',
    ...BASE,
  },
};
