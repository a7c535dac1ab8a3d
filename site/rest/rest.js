// The reference of the REST API: Scalar, made of the gateway's own /openapi.json. It asks nothing of another host.
import { createApiReference } from '../SCALAR/standalone.esm.js';
import { nameControls } from './controls.js';

const MEDIA_TYPES =
  'application/vnd.svc+json; version=3.0, application/vnd.svc.webhooks+json; version=3.0, application/json; q=0.5';

/** Its colours of small texts are too pale to be read. */
const COLOURS = `
.light-mode {
  --scalar-color-2: #4a4a52; --scalar-color-3: #5c5c66;
  --scalar-color-blue: #0b5c96; --scalar-color-green: #0a6b40; --scalar-color-orange: #8f4a00;
  --scalar-color-red: #b3151f; --scalar-color-yellow: #7a5600; --scalar-color-purple: #6b3fc0;
}
.dark-mode {
  --scalar-color-2: #c0c0c8; --scalar-color-3: #a8a8b2;
  --scalar-color-blue: #7cc4ea; --scalar-color-green: #5fd39a; --scalar-color-orange: #f5a55c;
  --scalar-color-red: #ff8f8f; --scalar-color-yellow: #f0d060; --scalar-color-purple: #c0a5ff;
}`;

function configuration(token) {
  return {
    url: '/openapi.json',
    darkMode: isDark(),
    customCss: COLOURS,
    withDefaultFonts: false,
    hideClientButton: true,
    // The document has samples of its own, which name the media type.
    hiddenClients: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    showDeveloperTools: 'never',
    onRequestBuilt: completeRequest,
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: 'session',
      securitySchemes: { session: { value: token === '' ? '' : `Svc session-token="${token}"` } },
    },
  };
}

/** Completes a request that is tried. The media type stands in no parameter: see `Accept` in the introduction. */
function completeRequest({ request }) {
  const { headers } = request;
  if (headers.get('accept') === '*/*') headers.set('accept', MEDIA_TYPES);
  // For clients that can only GET and POST, which this one is not.
  headers.delete('x-http-method-override');
}

/** As the other pages: what the reader has chosen there, else what the system prefers. */
function isDark() {
  const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
  return chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

async function offerLogin(reference) {
  const { login_url: backend } = await (await fetch('../deployment.json')).json();
  if (backend === null) return;
  const [form, user, outcome] = ['login', 'user', 'outcome'].map((id) => document.getElementById(id));
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const answer = await fetch(`${backend}/session?user=${encodeURIComponent(user.value)}`);
      if (!answer.ok) throw new Error(`the login backend answered ${answer.status}`);
      const session = await answer.json();
      reference.updateConfiguration(configuration(session.session_token));
      outcome.textContent = `Logged in as ${session.user_id}.`;
    } catch (error) {
      outcome.textContent = `The login failed: ${error.message}.`;
    }
  });
}

const place = document.getElementById('reference');
nameControls(place);
await offerLogin(createApiReference(place, configuration('')));
