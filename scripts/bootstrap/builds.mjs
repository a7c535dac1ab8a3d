import { readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Points the link `current` of a folder to its build `hash`, and removes builds that failed and all others but the one before. The link is
 * replaced at once, so that a running gateway always finds a whole build; pages of the one before may be open.
 */
export function pointToBuild(folder, hash) {
  const draft = path.join(folder, 'current.new');
  rmSync(draft, { force: true });
  symlinkSync(hash, draft);
  renameSync(draft, path.join(folder, 'current'));
  const age = (name) => statSync(path.join(folder, name)).mtimeMs;
  const remove = (name) => rmSync(path.join(folder, name), { recursive: true, force: true });
  const names = readdirSync(folder);
  for (const name of names.filter((one) => one.endsWith('.new'))) remove(name);
  const others = names.filter((name) => !name.endsWith('.new') && name !== 'current' && name !== hash);
  const oldest = others.sort((one, other) => age(other) - age(one)).slice(1);
  for (const name of oldest) remove(name);
}
