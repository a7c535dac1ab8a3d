import { limits } from '../limits.ts';

export type CloseCode = {
  /** The meaning of the code, and what the client should do. CommonMark. */
  description: string;
  /** Whether only sockets with the subprotocol `svc-3.1` or `svc-4.0` are closed with the code. */
  isExtended?: true;
};

/** The reason with which 1012 says that a database may have lost what clients were told. */
export const START_ANEW = 'start_anew';

/** Why the gateway closes a socket. */
export const CLOSE_CODES: Readonly<Record<number, CloseCode>> = {
  1003: { description: 'A packet of an unknown type, or a binary one. Mend the client.' },
  1007: { description: 'A packet that is not JSON, or not UTF-8. Mend the client.' },
  1008: {
    description: `A packet in more than ${limits.packetFragments} frames. Mend the client.`,
  },
  1009: {
    description: `A packet of more than ${limits.requestBodyBytes.toLocaleString('en')} bytes. Mend the client.`,
  },
  1011: { description: 'An internal error of the gateway. Reconnect after a moment and replay.' },
  1012: {
    description: `The gateway restarts, or cannot find out whose sessions have ended. Reconnect at once, which leads to another one, and replay. With the reason \`${START_ANEW}\` a database has lost what clients were told: read the lists anew instead of replaying, also of what is shown.`,
  },
  1013: { description: 'The client read too slowly. Reconnect and replay.' },
  4400: {
    description:
      'The upgrade was refused: its path or its subprotocols are wrong. The reason is the id of the error. Mend the client.',
    isExtended: true,
  },
  4401: {
    description:
      'The session has ended: log in again. With the subprotocols `svc-3.1` and `svc-4.0` also a refused upgrade without a valid session token.',
  },
  4403: {
    description:
      'The upgrade was refused: the application does not allow the page’s origin. The reason is the id of the error.',
    isExtended: true,
  },
  4429: {
    description:
      'The client went on sending packets that were refused. With the subprotocols `svc-3.1` and `svc-4.0` also a refused upgrade: too many of them, too many sockets of the user, or the platform is not available. The reason is the id of the error. Reconnect after some seconds, with growing intervals.',
  },
};
