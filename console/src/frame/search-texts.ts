/** Keeps the texts of the address's search that a page knows, and drops the others. */
export function texts<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const found: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = Object.hasOwn(search, name) ? search[name] : undefined;
      if (typeof value === 'string' || typeof value === 'number')
        Object.assign(found, { [name]: String(value) });
    }
    return found;
  };
}
