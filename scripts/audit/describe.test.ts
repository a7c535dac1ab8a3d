import { describeAudit } from './describe.ts';

const ADVISORY = {
  module_name: 'ws',
  severity: 'high',
  title: 'A crafted header ends the process',
  url: 'https://example.com/advisory',
  patched_versions: '>=9.0.1',
};

test.each([
  ['no advisory', '{"advisories":{}}', 0, ['No known vulnerabilities.']],
  [
    'an advisory',
    JSON.stringify({ advisories: { 1: ADVISORY } }),
    1,
    ['ws: high: A crafted header ends the process; fixed in >=9.0.1; https://example.com/advisory'],
  ],
  [
    'a registry without audits',
    '{"error":{"code":"ERR_PNPM_AUDIT_BAD_RESPONSE","message":"responded with 405"}}',
    2,
    ['Not audited, the registry did not answer: responded with 405'],
  ],
  ['no report', '', 2, ['Not audited, the registry did not answer: getaddrinfo ENOTFOUND']],
])('the audit with %s ends with a code of its own', (_, stdout, exitCode, lines) => {
  expect(describeAudit(stdout, 'getaddrinfo ENOTFOUND\n')).toEqual({ exitCode, lines });
});
