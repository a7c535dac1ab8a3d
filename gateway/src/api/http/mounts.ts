/** The parts of the public listener that express serves, each below a path of its name. The route table has everything else. */
export const MOUNTS = ['admin', 'console', 'docs'] as const;
export type Mount = (typeof MOUNTS)[number];

const MOUNTED = /^\/(?:admin|console|docs)(?=\/|$)/;

/** Whether express may serve a path. Any other is refused without it, whose overhead a refusal is not worth. */
export function isMounted(path: string): boolean {
  return MOUNTED.test(path);
}
