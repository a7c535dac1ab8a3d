import { WebSocketServer } from 'ws';
import { limits } from '@parley/contract/limits';
import type { GatewayContext } from '../context.ts';
import { chooseSubprotocol } from './upgrade.ts';

type Options = Pick<GatewayContext, 'wire'>;

/** Makes sockets of upgrades. */
export function createWebSocketServer({ wire }: Options): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    maxPayload: limits.requestBodyBytes,
    perMessageDeflate: false,
    clientTracking: false,
    skipUTF8Validation: false,
    handleProtocols: (offered) => chooseSubprotocol(wire, offered) ?? false,
  });
}
