// Checks the OpenAPI document with the rules of Spectral, and prints its errors and warnings.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { DiagnosticSeverity } from '@asyncapi/parser';
import { REPOSITORY } from '../build/paths.ts';

const linter = new spectral.Spectral();
// Whom to ask about a deployment is known to its operator alone.
linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition], rules: { 'info-contact': 'off' } });
const document = JSON.parse(readFileSync(path.join(REPOSITORY, 'docs/openapi.json'), 'utf8')) as Record<
  string,
  unknown
>;
const problems = (await linter.run(document)).filter(
  ({ severity }) => severity <= DiagnosticSeverity.Warning,
);
for (const { code, path: place, message } of problems) {
  process.stdout.write(`${code} at ${place.join('/')}: ${message}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
