import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

export const DEPLOY_FOLDER = path.resolve(import.meta.dirname, '..');
export const REPOSITORY = path.resolve(DEPLOY_FOLDER, '..');

/** A Kubernetes object as rendered; its shape is checked, not known. */
export type Rendered = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; namespace?: string };
} & Record<string, unknown>;

/** Renders an overlay as `kubectl apply -k` would send it. */
export function render(overlay: string): Rendered[] {
  const folder = path.join(DEPLOY_FOLDER, overlay);
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${overlay} cannot be rendered: ${stderr}`);
  return parse(stdout);
}

/** Renders the production overlay after its files are changed as an operator would change them. */
export function renderProduction(change: {
  kustomization?: (text: string) => string;
  config?: (text: string) => string;
}): Rendered[] {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-overlay-'));
  const rewrite = (name: string, rewritten: (text: string) => string) => {
    const file = path.join(folder, name);
    writeFileSync(file, rewritten(readFileSync(file, 'utf8')));
  };
  try {
    cpSync(path.join(DEPLOY_FOLDER, 'overlays', 'production'), folder, { recursive: true });
    rewrite('kustomization.yaml', (text) =>
      (change.kustomization?.(text) ?? text).replaceAll('../../', `${path.relative(folder, DEPLOY_FOLDER)}/`),
    );
    rewrite('config.env', (text) => change.config?.(text) ?? text);
    return render(path.relative(DEPLOY_FOLDER, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function readDocuments(file: string): Rendered[] {
  return parse(readFileSync(path.join(DEPLOY_FOLDER, file), 'utf8'));
}

function parse(text: string): Rendered[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return unfolded(document.toJS() as Rendered);
  });
}

// kubectl breaks long Base64 into lines.
function unfolded(document: Rendered): Rendered {
  if (document.kind !== 'Secret' || !document['data']) return document;
  const data = Object.entries(document['data']).map(([key, value]) => [
    key,
    String(value).replaceAll(/\s/g, ''),
  ]);
  return { ...document, data: Object.fromEntries(data) as object };
}

export function label({ kind, metadata: { name } }: { kind: string; metadata: { name: string } }): string {
  return `${kind} ${name}`;
}
