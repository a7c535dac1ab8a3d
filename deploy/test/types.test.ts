import path from 'node:path';
import { testWith } from '@parley/testing';
import ts from 'typescript';
import { DEPLOY_FOLDER, label, readDocuments, render, type Rendered } from './render.ts';

const sets: [string, () => Rendered[]][] = [
  ['overlays/local', () => render('overlays/local')],
  ['overlays/production', () => render('overlays/production')],
  ['overlays/console-apart', () => render('overlays/console-apart')],
  ['secrets.example.yaml', () => readDocuments('secrets.example.yaml')],
];

const OPERATORS: Record<string, string> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'cert-manager.io': '@kubernetes-models/cert-manager',
};

function moduleOf({ apiVersion, kind }: Rendered): string {
  const [group = ''] = apiVersion.split('/');
  return `${OPERATORS[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

type Model = new (data: Rendered) => { validate(): void };

describe.each(sets)('%s', (_name, read) => {
  testWith('kubectl', 'is valid by the schemas of the Kubernetes API', async () => {
    const problems: string[] = [];
    for (const document of read()) {
      const { [document.kind]: Kind } = (await import(moduleOf(document))) as Record<string, Model>;
      try {
        new Kind!(document).validate();
      } catch (error) {
        problems.push(`${label(document)}: ${String(error)}`);
      }
    }
    expect(problems).toEqual([]);
  });

  // The schemas let fields pass that they do not know; the compiler does not.
  testWith('kubectl', 'has no field that Kubernetes does not know', () => {
    expect(unknownFields(read())).toEqual([]);
  });
});

test('a misspelt field would be found', () => {
  const document: Rendered = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'bad' },
    spec: {
      selector: {},
      template: { spec: { containers: [{ name: 'a', readinesProbe: {} }] } },
    },
  };
  expect(unknownFields([document]).join()).toContain('readinesProbe');
});

function unknownFields(documents: Rendered[]): string[] {
  const lines = documents.map(
    (document, index) =>
      `import type { I${document.kind} as K${index} } from '${moduleOf(document)}';\n` +
      `(${JSON.stringify(document)}) satisfies K${index};`,
  );
  const file = path.join(DEPLOY_FOLDER, 'test', 'rendered.generated.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const text = lines.join('\n');
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
