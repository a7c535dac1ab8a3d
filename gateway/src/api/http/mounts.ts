/** Paths of the public listener that express serves. The route table serves all other paths. */
export const MOUNTS = ['admin', 'console', 'docs'] as const;
export type Mount = (typeof MOUNTS)[number];

const MOUNTED = /^\/(?:admin|console|docs)(?=\/|$)/;

/** Whether express may serve a path. Other paths are refused without the overhead of express. */
export function isMounted(path: string): boolean {
  return MOUNTED.test(path);
}
