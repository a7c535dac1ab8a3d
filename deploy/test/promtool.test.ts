import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeWith, findProgram } from '@parley/testing';
import { readDocuments } from './render.ts';

const [rules] = readDocuments('components/monitoring/rules.yaml') as unknown as [
  { spec: { groups: { rules: { alert: string; expr: string }[] }[] } },
];

function check(groups: object): { status: number | null; output: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-rules-'));
  try {
    const file = path.join(folder, 'rules.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups }));
    const args = ['check', 'rules', '--lint-fatal', file];
    const { status, stdout, stderr } = spawnSync(findProgram('promtool')!, args, { encoding: 'utf8' });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeWith('promtool', 'the rules of alerts', () => {
  test('are valid for Prometheus: expressions, templates, no duplicates', () => {
    const { status, output } = check(rules.spec.groups);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
  });

  test('with a wrong expression would be found', () => {
    const wrong = { alert: 'Wrong', expr: 'sum by (service (up)' };
    expect(check([{ name: 'wrong', rules: [wrong] }]).status).not.toBe(0);
  });
});
