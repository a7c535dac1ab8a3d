/** How requests say who sends them. */
export const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'A session token of a user: `Svc session-token="…"`.',
  },
  administration: { type: 'http', scheme: 'bearer', description: 'The administration token.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the app, for its servers.' },
};
