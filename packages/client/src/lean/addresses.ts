import { pathTo } from '../path.ts';
import { identityUri } from '../records/records.ts';

/** Data of a lean socket's `hello`: the addresses omitted from its packets, and its user. */
export type Addresses = {
  /** The deployment's wire name, such as `svc`. */
  readonly wire: string;
  readonly userId: string;
  readonly templates: Readonly<Record<string, string>>;
};

/** A record that contains others. */
export type Parent = {
  readonly uri: string;
  readonly url: string;
  part(id: string): { readonly id: string; readonly url: string };
};

/** Builds the URIs and addresses of records from their bare ids. */
export type Names = {
  uri(kind: string, id: string): string;
  /** Fills a template of an address with ids. */
  url(template: string, ids: Readonly<Record<string, string>>): string;
  identity(userId: string): { readonly id: string; readonly url: string };
  message(id: string): Parent;
  announcement(id: string): Parent;
};

/** Encodes a name as one segment of a path, as the platform writes it. */
export function segment(name: string): string {
  return pathTo`/${name}`
    .slice(1)
    .replace(/[!~'()]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function createNames({ wire, templates }: Addresses): Names {
  function uri(kind: string, id: string): string {
    return `${wire}:///${kind}${pathTo`/${id}`}`;
  }
  function url(template: string, ids: Readonly<Record<string, string>>): string {
    return (templates[template] ?? '').replace(/\{(\w+)\}/g, (_, key: string) => segment(ids[key] ?? ''));
  }
  function parentOf(kind: string, name: string, id: string): Parent {
    const ids = { [`${name}_id`]: id };
    return {
      uri: uri(kind, id),
      url: url(name, ids),
      part: (part_id) => ({
        id: `${uri(kind, id)}${pathTo`/parts/${part_id}`}`,
        url: url(`${name}_part`, { ...ids, part_id }),
      }),
    };
  }
  return {
    uri,
    url,
    identity(userId) {
      const id = identityUri(wire, userId);
      // A path cannot contain `.` and `..`, which users of earlier releases may have as ids.
      return { id, url: url('identity', { user_id: /^\.\.?$/.test(userId) ? id : userId }) };
    },
    message: (id) => parentOf('messages', 'message', id),
    announcement: (id) => parentOf('announcements', 'announcement', id),
  };
}
