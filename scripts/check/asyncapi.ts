// Checks the AsyncAPI document with the parser of its specification, and prints its errors and warnings.
import { DiagnosticSeverity, Parser } from '@asyncapi/parser';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '../build/paths.ts';

const text = readFileSync(path.join(REPOSITORY, 'docs/asyncapi.json'), 'utf8');
const { diagnostics } = await new Parser().parse(text);
const problems = diagnostics.filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
for (const { code, path: place, message } of problems) {
  process.stdout.write(`${code} at ${place.join('/')}: ${message}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;
