const SESSION_TOKEN = 'A session token, from `POST /sessions`';

export const SECURITY_SCHEMES = {
  sessionHeader: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Authorization',
    description: `${SESSION_TOKEN}: \`Svc session-token="…"\`. Not for browsers, which cannot set the header.`,
  },
  sessionSubprotocol: {
    type: 'httpApiKey',
    in: 'header',
    name: 'Sec-WebSocket-Protocol',
    description: `${SESSION_TOKEN}, offered as the subprotocol \`svc-token.<token>\` beside \`svc-3.1\` or \`svc-4.0\`. It goes before the other two, is not echoed, and stays out of addresses and logs.`,
  },
  sessionQuery: {
    type: 'httpApiKey',
    in: 'query',
    name: 'session_token',
    description: `${SESSION_TOKEN}. Addresses are often logged: prefer one of the others.`,
  },
};

/** `baseUrl`: the gateway's public address without a slash at its end. */
export function serversOf(baseUrl: string): Record<string, object> {
  const { protocol, host, pathname } = new URL(baseUrl);
  return {
    gateway: {
      host,
      ...(pathname !== '/' && { pathname }),
      protocol: protocol === 'https:' ? 'wss' : 'ws',
      description: 'The gateway, for clients.',
      security: Object.keys(SECURITY_SCHEMES).map((name) => ({
        $ref: `#/components/securitySchemes/${name}`,
      })),
    },
    target: {
      host: '{target}',
      protocol: 'https',
      description: 'The target of a webhook.',
      variables: { target: { default: 'target.example.com', description: 'Its host.' } },
    },
    broker: {
      host: '{broker}',
      protocol: 'nats',
      description: 'The NATS server of the deployment, for processes of its operator.',
      variables: { broker: { default: 'nats:4222', description: 'Its address within the deployment.' } },
    },
  };
}
