// Completes a site that VitePress has made: `node scripts/site/finish.ts <folder>`. Adds the reference of the REST API, the
// hashes of scripts, and compressed copies of files.
import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describePackage, listing, PACKAGES_FILE, type BundledPackage } from '../build/packages.ts';
import { REPOSITORY } from '../build/paths.ts';

const SCALAR = path.join(REPOSITORY, 'site', 'node_modules', '@scalar', 'api-reference');
/** Smaller files are left as they are. Bytes. */
const LARGEST_PLAIN = 1024;

/** The reference of the REST API, with Scalar's build for browsers at an address that changes with its version. */
function addReference(folder: string): void {
  const { version } = JSON.parse(readFileSync(path.join(SCALAR, 'package.json'), 'utf8')) as {
    version: string;
  };
  const browser = path.join(SCALAR, 'dist', 'browser');
  const target = path.join(folder, 'assets', `scalar-${version}`);
  cpSync(path.join(browser, 'standalone.esm.js'), path.join(target, 'standalone.esm.js'));
  const filter = (file: string) => !file.endsWith('.map');
  cpSync(path.join(browser, 'chunks'), path.join(target, 'chunks'), { recursive: true, filter });
  const page = path.join(folder, 'rest');
  cpSync(path.join(REPOSITORY, 'site', 'rest'), page, { recursive: true });
  const script = path.join(page, 'rest.js');
  const text = readFileSync(script, 'utf8').replace('/SCALAR/', `/assets/scalar-${version}/`);
  writeFileSync(script, text);
}

/** Adds Scalar, which Vite has not seen, to the list of packages. */
function addPackage(folder: string): void {
  const file = path.join(folder, PACKAGES_FILE);
  const packages = JSON.parse(readFileSync(file, 'utf8')) as BundledPackage[];
  writeFileSync(file, listing([...packages, describePackage(SCALAR)]));
}

/** Hashes of the scripts that stand in pages, for a Content-Security-Policy. */
function scriptHashes(folder: string): string[] {
  const scripts = globSync('**/*.html', { cwd: folder }).flatMap((file) => {
    const page = readFileSync(path.join(folder, file), 'utf8');
    return [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs)].map(
      ([, script = '']) => script,
    );
  });
  const hashes = new Set(scripts.map((script) => createHash('sha256').update(script).digest('base64')));
  return [...hashes].sort().map((hash) => `'sha256-${hash}'`);
}

function compress(folder: string): void {
  for (const name of globSync('**/*.{html,js,css,svg,json}', { cwd: folder })) {
    const file = path.join(folder, name);
    const plain = readFileSync(file);
    if (plain.length <= LARGEST_PLAIN) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
    writeFileSync(`${file}.br`, brotliCompressSync(plain, { params }));
    writeFileSync(`${file}.gz`, gzipSync(plain));
  }
}

const [folder = ''] = process.argv.slice(2);
addReference(folder);
addPackage(folder);
writeFileSync(path.join(folder, 'scripts.json'), JSON.stringify(scriptHashes(folder)));
compress(folder);
