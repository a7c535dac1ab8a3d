import { curlSample } from './curl.ts';
import type { SampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript.ts';

const REQUEST: SampleRequest = {
  method: 'POST',
  url: 'https://chat.example.com/users/{{USER_ID}}/messages',
  headers: { Authorization: 'Svc session-token="{{SESSION_TOKEN}}"' },
  body: { json: { text: "it's `$HOME`", id: '{{MESSAGE_ID}}', uri: 'svc:///{{MESSAGE_ID}}/1' } },
  answer: 'json',
};

test('curl gets variables in double quotes, and text that a shell would change in single ones', () => {
  expect(curlSample(REQUEST)).toBe(`curl -i -X POST "https://chat.example.com/users/$USER_ID/messages" \\
  -H "Authorization: Svc session-token=\\"$SESSION_TOKEN\\"" \\
  -d '{
    "text": "it'\\''s \`$HOME\`",
    "id": "'"$MESSAGE_ID"'",
    "uri": "svc:///'"$MESSAGE_ID"'/1"
  }'`);
});

test('TypeScript gets variables as they are, and in templates', () => {
  expect(typescriptSample(REQUEST)).toBe(`const { USER_ID, SESSION_TOKEN, MESSAGE_ID } = process.env;
const response = await fetch(\`https://chat.example.com/users/\${USER_ID}/messages\`, {
  method: 'POST',
  headers: { Authorization: \`Svc session-token="\${SESSION_TOKEN}"\` },
  body: JSON.stringify({ text: 'it\\'s \`$HOME\`', id: MESSAGE_ID, uri: \`svc:///\${MESSAGE_ID}/1\` }),
});
console.log(response.status, await response.json());`);
});

test('a name that is followed by a letter is in braces', () => {
  const { url: _, ...rest } = REQUEST;
  expect(curlSample({ ...rest, url: 'https://example.com/{{A}}b' })).toContain('"https://example.com/${A}b"');
});
